// The buttons of what the desktop shows, and who hears of a press. The server is followed once it shows a button, so nothing is connected before.
import type { InboundAnswer } from '../../model/channel/channel.ts';
import { HERE } from '../../model/session/whereabouts.ts';

/** The listener of an opened desktop. */
export interface Answers {
  /** Listens until the signal fires. */
  readonly receive: (on: (answer: InboundAnswer) => Promise<string>, signal: AbortSignal) => Promise<void>;
  /** A button with this key was pressed, or this text was written there. Resolves with the line for who did it; null: nobody listens. `at`: Unix ms. */
  readonly give: (key: string, text: string | null, at: number) => Promise<string | null>;
}

/** Nobody listens yet. */
export function createAnswers(): Answers {
  let listener: ((answer: InboundAnswer) => Promise<string>) | null = null;
  return {
    receive: (on, signal) =>
      new Promise((resolve) => {
        const end = (): void => {
          listener = null;
          resolve();
        };
        if (signal.aborted) return end();
        listener = on;
        signal.addEventListener('abort', end, { once: true });
      }),
    give: async (key, text, at) => {
      const by = { id: HERE.user, name: HERE.user }; // who can press it sits at this session
      const removesMessage = text !== null; // servers take a notification away in which something was written
      return (await listener?.({ reference: key, replyTo: null, text, by, at, removesMessage })) ?? null;
    },
  };
}
