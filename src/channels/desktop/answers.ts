// Who listens to the buttons of what is shown: nothing is connected for it, since the server is followed once it shows a button.
import type { InboundAnswer, OpenChannel } from '../../model/channel.ts';
import { HERE } from '../../model/local-host.ts';

/** The listener of an opened desktop. */
export interface Answers {
  /** Listens until the signal fires. */
  readonly receive: NonNullable<OpenChannel['receive']>;
  /** A button with this key was pressed; nothing where nobody listens. `at`: Unix ms. */
  readonly press: (key: string, at: number) => Promise<void>;
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
    press: async (key, at) => {
      const by = { id: HERE.user, name: HERE.user }; // who can press it sits at this session
      await listener?.({ reference: key, replyTo: null, text: null, by, at });
    },
  };
}
