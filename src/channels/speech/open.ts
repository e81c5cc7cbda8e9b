// Speech at work: one sentence at a time; while it is spoken only the newest waits.
import { createTurns } from '../../lib/async/one-after-another.ts';
import type { ChannelTools, OpenChannel } from '../../model/channel/channel.ts';
import { asOutcome, createOperations } from '../shared/operations.ts';
import { runFirst } from '../shared/run-first-program.ts';
import { NO_SPEAKER, speakersOf } from './voices.ts';
import { oneLine, truncate } from '../../lib/text/text.ts';
import type { NotificationContent } from '../../model/notification/notification.ts';

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

const MAX_LENGTH = 120;

/** What is said of a notification: `template` with its fields replaced, in which nothing steers the voice. Brackets go: `[[...]]` holds commands of macOS and phonemes of espeak-ng; so do `<` and `>`. */
export function sentenceOf(template: string, { title, event }: NotificationContent): string {
  const fields: Readonly<Record<string, string>> = { title, project: event.project ?? '', agent: event.agent };
  const text = template.replace(/\{(\w{1,10})\}/g, (_field, name: string) => (fields[name] ?? '').slice(0, 2_000));
  return truncate(oneLine(oneLine(text).replace(/[[\]<>]/g, ' ')), MAX_LENGTH) || 'Belfry';
}
