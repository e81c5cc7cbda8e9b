// Takes secrets out of all text of an input before anything is decided, so that none reaches ledger, journal or logs.
import type { Incoming, IncomingHook } from '../model/incoming.ts';
import { type Redactor, redactEvent } from '../redaction/index.ts';

/** More than this of one text (UTF-16 units) is used nowhere. */
const LONGEST = 16_000;
/** Bounds on fields no adapter knows: texts in all, units in all, depth, entries of one list. */
const UNKNOWN = { texts: 300, units: 32_000, depth: 8, entries: 300 } as const;
const RUNNING = 50;
const LEFT_OUT = '(left out)';

type Fields = Readonly<Record<string, unknown>>;

/** Fields no adapter knows, bounded. */
function bounded(fields: Fields, redact: (text: string) => string): Fields {
  let texts = 0;
  let units = 0;
  const walk = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') {
      texts += 1;
      units += value.length;
      return texts > UNKNOWN.texts || units > UNKNOWN.units ? LEFT_OUT : redact(value);
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= UNKNOWN.depth) return LEFT_OUT;
    if (Array.isArray(value)) return value.slice(0, UNKNOWN.entries).map((item) => walk(item, depth + 1));
    const entries = Object.entries(value).slice(0, UNKNOWN.entries);
    return Object.fromEntries(entries.map(([key, item]) => [key.slice(0, 200), walk(item, depth + 1)]));
  };
  return walk(fields, 0) as Fields; // an object stays one
}

function ofHook(incoming: IncomingHook, redactor: Redactor): IncomingHook {
  const { parsed } = incoming;
  const redact = (text: string): string => redactor.text(text.slice(0, LONGEST));
  const maybe = (text: string | null): string | null => (text === null ? null : redact(text));
  return {
    ...incoming,
    parsed: {
      ...parsed,
      message: maybe(parsed.message),
      lastWords: maybe(parsed.lastWords),
      prompt: maybe(parsed.prompt),
      title: maybe(parsed.title),
      tool: parsed.tool === null ? null : { ...parsed.tool, summary: maybe(parsed.tool.summary) },
      running: parsed.running?.slice(0, RUNNING).map((work) => ({ ...work, label: maybe(work.label) })) ?? null,
      unknown: bounded(parsed.unknown, redact),
    },
  };
}

/** The same input with every text of it redacted and bounded. */
export function redactIncoming(incoming: Incoming, redactor: Redactor): Incoming {
  if (incoming.type === 'event') return { ...incoming, event: redactEvent(incoming.event, redactor) };
  return ofHook(incoming, redactor);
}
