// A button that asks Belfry for something: shows that it is under way, and what came of it where that was not as asked.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { problemText } from '../api/live.ts';
import { announce } from './announcer.tsx';

interface ActButtonProps {
  /** Resolves with what to say, or with nothing. */
  readonly act: () => Promise<string | undefined>;
  readonly kind?: 'primary' | 'danger' | 'plain';
  readonly label?: string;
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
}

export function ActButton({ act, kind = 'plain', label, disabled = false, children }: ActButtonProps) {
  const [busy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    if (busy) return;
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
      aria-busy={busy}
      disabled={disabled}
      onClick={() => void run()}
    >
      {children}
    </button>
  );
}
