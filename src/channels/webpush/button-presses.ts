// Buttons pressed in browsers: the page's worker hands them to the HTTP interface, from there to the channels that listen.
import { HERE } from '../../model/session/whereabouts.ts';
import { type InboundAnswer, NOT_MADE_HERE, type ReceiveOptions } from '../../model/channel/channel.ts';

type Listener = (answer: InboundAnswer) => Promise<string>;

const listeners = new Set<Listener>();

/** Until the signal fires. */
export function receivePresses({ on, signal }: Pick<ReceiveOptions, 'on' | 'signal'>): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      listeners.delete(on);
      resolve();
    };
    listeners.add(on);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}

/** The reference proves which channel sent it and what it is for; only that channel answers. */
export async function press(reference: string, at: number): Promise<string> {
  const answer = { reference, replyTo: null, text: null, by: { id: 'browser', name: HERE.user }, at };
  const asked = [...listeners];
  // Of several channels one is meant; what none of them has made counts against each.
  for (const mayBeForAnother of asked.length > 1 ? [true, false] : [false])
    for (const listener of asked) {
      const line = await listener({ ...answer, mayBeForAnother });
      if (line !== NOT_MADE_HERE) return line;
    }
  return asked.length > 0 ? NOT_MADE_HERE : 'No channel takes answers from browsers any more.';
}
