// Takes secrets out of all text of an input before anything is decided, so that none reaches ledger, outbox or logs.
import type { Event } from '../model/event.ts';
import type { Incoming } from '../model/incoming.ts';

/** Takes secrets out of a text. */
export type Redact = (text: string) => string | Promise<string>;

/** More than this of one text (UTF-16 units) is used nowhere. */
const LONGEST = 16_000;
/** Bounds on fields no adapter knows: texts in all, units in all, depth. */
const UNKNOWN = { texts: 300, units: 32_000, depth: 8 } as const;
const LEFT_OUT = '(left out)';

/** A redactor that never throws: what it cannot judge is not shown. */
function careful(redact: Redact): (text: string) => Promise<string> {
  return async (text) => {
    try {
      return await redact(text.slice(0, LONGEST));
    } catch {
      return '[redacted: the text could not be checked]';
    }
  };
}

type Walk = (value: unknown, depth: number) => Promise<unknown>;

function walker(redact: (text: string) => Promise<string>): Walk {
  let texts = 0;
  let units = 0;
  const walk: Walk = async (value, depth) => {
    if (typeof value === 'string') {
      texts += 1;
      units += value.length;
      return texts > UNKNOWN.texts || units > UNKNOWN.units ? LEFT_OUT : redact(value);
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= UNKNOWN.depth) return LEFT_OUT;
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value.slice(0, UNKNOWN.texts)) items.push(await walk(item, depth + 1));
      return items;
    }
    const entries: [string, unknown][] = [];
    for (const [key, item] of Object.entries(value).slice(0, UNKNOWN.texts))
      entries.push([key.slice(0, 200), await walk(item, depth + 1)]);
    return Object.fromEntries(entries);
  };
  return walk;
}

async function fields(
  value: Readonly<Record<string, unknown>>,
  redact: (text: string) => Promise<string>,
): Promise<Record<string, unknown>> {
  return (await walker(redact)(value, 0)) as Record<string, unknown>; // an object stays one
}

async function ofEvent(event: Event, redact: (text: string) => Promise<string>): Promise<Event> {
  const { words } = event;
  return {
    ...event,
    message: event.message === null ? null : await redact(event.message),
    words: words === null ? null : { title: await redact(words.title), body: await redact(words.body) },
    extra: await fields(event.extra, redact),
  };
}

/** The same input with every text of it redacted and bounded. */
export async function redactIncoming(incoming: Incoming, by: Redact): Promise<Incoming> {
  const redact = careful(by);
  if (incoming.type === 'event') return { ...incoming, event: await ofEvent(incoming.event, redact) };
  const { parsed } = incoming;
  const maybe = async (text: string | null): Promise<string | null> => (text === null ? null : redact(text));
  return {
    ...incoming,
    parsed: {
      ...parsed,
      message: await maybe(parsed.message),
      lastWords: await maybe(parsed.lastWords),
      prompt: await maybe(parsed.prompt),
      title: await maybe(parsed.title),
      tool: parsed.tool === null ? null : { ...parsed.tool, summary: await maybe(parsed.tool.summary) },
      running:
        parsed.running === null
          ? null
          : await Promise.all(
              parsed.running.slice(0, 50).map(async (work) => ({ ...work, label: await maybe(work.label) })),
            ),
      unknown: await fields(parsed.unknown, redact),
    },
  };
}

export { careful };
