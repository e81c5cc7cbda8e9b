// Asks for how long everything is to be muted: `belfry mute` alone would mute it until somebody remembers.
import { answered } from '../channel/ask-settings.ts';
import type { Io } from '../../io.ts';

const CHOICES = ['30m', '1h', '4h', '8h'] as const;
/** Where there is nobody to ask: no script mutes everything until somebody remembers. */
const UNASKED = '8h';
/** As it is typed: until `belfry unmute`. */
export const FOREVER = 'forever';

/** A duration as it is typed. Throws where the person cancels. */
export async function askMuteDuration(io: Io): Promise<string> {
  if (!io.tty || io.json || process.stdin.isTTY !== true) return UNASKED;
  const { select } = await import('@clack/prompts');
  const options = [
    ...CHOICES.map((choice) => ({ value: choice, label: choice })),
    { value: FOREVER, label: 'until `belfry unmute`' },
  ];
  return answered(select<string>({ message: 'Mute everything for how long?', options, initialValue: '1h' }));
}
