// What can be done about an entry, in a few words each: to those who hear the page, on hover, and below the buttons.
import { HOLD_MINUTES } from '../../lib/cards/next-words.ts';

export const HINTS = {
  acknowledge: 'You know of it: no reminder or escalation follows.',
  hold: `What is planned next comes ${HOLD_MINUTES} minutes later.`,
  mute: 'For an hour only what is urgent of this session is sent.',
} as const;

const NAMES: Readonly<Record<keyof typeof HINTS, string>> = { acknowledge: 'Acknowledge', hold: 'Hold', mute: 'Mute' };

/** Hidden from those who hear the page: each button says it to them. */
export function ActionHints({ of }: { readonly of: readonly (keyof typeof HINTS)[] }) {
  if (of.length === 0) return null;
  return (
    <ul class="note hints" aria-hidden="true">
      {of.map((name) => (
        <li key={name}>
          <strong>{NAMES[name]}:</strong> {HINTS[name]}
        </li>
      ))}
    </ul>
  );
}
