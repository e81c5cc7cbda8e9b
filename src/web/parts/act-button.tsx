// A button that asks Belfry for something: shows that it is under way, and what came of it where that was not as asked.
import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { problemText } from '../api/live.ts';
import type { CardGuard } from '../lib/cards/card-guard.ts';
import { announce } from './frame/announcer.tsx';

interface ActButtonProps {
  /** Resolves with what to say, or with nothing. */
  readonly act: () => Promise<string | undefined>;
  readonly kind?: 'primary' | 'danger' | 'plain';
  readonly label?: string;
  readonly disabled?: boolean;
  /** Of the card that it is on: says whether a press counts. */
  readonly guard?: CardGuard | undefined;
  /** It takes a press only once all of what is asked was seen; the id of the words that say so. */
  readonly whole?: string;
  /** What it does, where its words are too few to say it. */
  readonly hint?: string;
  /** The key that presses it, where its card is the one that is looked at. */
  readonly letter?: string;
  readonly children: ComponentChildren;
}

export function ActButton(props: ActButtonProps) {
  const { act, kind = 'plain', label, disabled = false, guard, whole, hint, letter, children } = props;
  const [busy, setBusy] = useState(false);
  // Not `disabled`: a button that is would lose the focus each time that its card moves.
  const isInert = useComputed(() => {
    if (guard === undefined) return undefined;
    return !guard.still.value || (whole !== undefined && !guard.seen.value) ? 'true' : undefined;
  });
  // A card that has just moved takes no press for a moment: a button that dimmed for that would flicker.
  const isUnseen = useComputed(() =>
    guard !== undefined && whole !== undefined && !guard.seen.value ? '' : undefined,
  );
  const run = async (event: MouseEvent): Promise<void> => {
    if (busy) return;
    const refusal = guard?.refusal(event, whole !== undefined) ?? null;
    if (refusal !== null) return announce(refusal, 'failed');
    setBusy(true);
    try {
      const said = await act();
      if (said !== undefined) announce(said, 'done');
    } catch (error) {
      announce(problemText(error), 'failed');
    }
    setBusy(false);
  };
  return (
    <button
      type="button"
      class={kind}
      aria-label={label}
      aria-description={hint}
      title={hint}
      aria-busy={busy}
      aria-disabled={isInert}
      aria-describedby={whole}
      data-unseen={isUnseen}
      aria-keyshortcuts={letter}
      data-key={letter}
      disabled={disabled}
      onPointerDown={guard?.press}
      onClick={(event) => void run(event)}
    >
      {children}
    </button>
  );
}
