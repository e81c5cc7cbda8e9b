// Speech at work: one sentence at a time; while it is spoken only the newest waits.
import { createTurns } from '../../lib/async/one-after-another.ts';
import type { ChannelTools, OpenChannel } from '../../model/channel/channel.ts';
import { asOutcome } from '../shared/as-outcome.ts';
import { runFirst } from '../shared/first-program.ts';
import { createOperations } from '../shared/operations.ts';
import { sentenceOf } from './sentence.ts';
import { NO_SPEAKER, speakersOf } from './voices.ts';

/** Says nothing yet. */
export function openSpeech(
  { voice, text }: { readonly voice?: string | undefined; readonly text: string },
  tools: ChannelTools,
): OpenChannel {
  const running = createOperations();
  const inTurn = createTurns();
  let newest = 0;
  return {
    send: ({ content }, { signal: outer, timeoutMs: limit }) => {
      const input = asOutcome(() => sentenceOf(text, content));
      if (typeof input !== 'string') return Promise.resolve(input);
      const mine = ++newest;
      return running.run(outer, (signal) =>
        inTurn(async () => {
          if (mine !== newest) return { ok: true, answer: 'left out: something newer was to be said' };
          return runFirst(speakersOf(tools.platform, voice), { tools, input, missing: NO_SPEAKER, limit, signal });
        }),
      );
    },
    close: running.close,
  };
}
