// Bounds what waits in hand: no text of an input longer than anything that is told, and none that keeps a 10 MB input alive.
import { cutAtSpace } from '../lib/text.ts';
import type { Incoming } from '../model/incoming.ts';

/** More than this of one text (UTF-16 units) is used nowhere. */
const LONGEST = 16_000;
/** Bounds on fields no adapter knows: units in all, nodes in all, depth. */
const UNKNOWN = { units: 32_000, nodes: 1_000, depth: 8, key: 200 } as const;
const RUNNING = 50;
const LEFT_OUT = '(left out)';

/** A copy, as a slice would keep the whole text in memory. */
function short(text: string): string {
  return text.length > LONGEST ? Buffer.from(cutAtSpace(text, LONGEST), 'utf16le').toString('utf16le') : text;
}

const maybe = (text: string | null): string | null => (text === null ? null : short(text));

type Fields = Readonly<Record<string, unknown>>;

function few(fields: Fields): Fields {
  let units = 0;
  let nodes = 0;
  const walk = (value: unknown, depth: number): unknown => {
    nodes += 1;
    if (nodes > UNKNOWN.nodes) return LEFT_OUT;
    if (typeof value === 'string') {
      const text = short(value);
      units += text.length;
      return units > UNKNOWN.units ? LEFT_OUT : text;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= UNKNOWN.depth) return LEFT_OUT;
    if (Array.isArray(value)) return value.slice(0, UNKNOWN.nodes).map((item) => walk(item, depth + 1));
    const entries = Object.entries(value).slice(0, UNKNOWN.nodes);
    return Object.fromEntries(entries.map(([key, item]) => [key.slice(0, UNKNOWN.key), walk(item, depth + 1)]));
  };
  return walk(fields, 0) as Fields; // an object stays one
}

/** The same input, bounded. */
export function boundIncoming(incoming: Incoming): Incoming {
  if (incoming.type === 'event') {
    const { event } = incoming;
    return { ...incoming, event: { ...event, message: maybe(event.message), extra: few(event.extra) } };
  }
  const { parsed } = incoming;
  return {
    ...incoming,
    parsed: {
      ...parsed,
      message: maybe(parsed.message),
      reason: maybe(parsed.reason),
      lastAssistantMessage: maybe(parsed.lastAssistantMessage),
      prompt: maybe(parsed.prompt),
      title: maybe(parsed.title),
      tool: parsed.tool === null ? null : { name: short(parsed.tool.name), summary: maybe(parsed.tool.summary) },
      running: parsed.running?.slice(0, RUNNING).map((work) => ({ ...work, label: maybe(work.label) })) ?? null,
      unknown: few(parsed.unknown),
    },
  };
}
