// An input before anything is decided: redacted, and with no text longer than what is sent, so that none keeps 10 MB in memory.
import { cutAtSpace } from '../../lib/text/text.ts';
import type { Incoming } from '../../model/event/incoming.ts';
import { redactEvent, type Redactor } from '../../redaction/index.ts';

function redactFields(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redactor.text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactFields(item, redactor));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactFields(item, redactor)]));
}

/** The same input with every text of it redacted; expects one that is bounded. */
export function redactIncoming(incoming: Incoming, redactor: Redactor): Incoming {
  if (incoming.type === 'event') return { ...incoming, event: redactEvent(incoming.event, redactor) };
  const { parsed } = incoming;
  const maybe = (text: string | null): string | null => (text === null ? null : redactor.text(text));
  return {
    ...incoming,
    parsed: {
      ...parsed,
      message: maybe(parsed.message),
      reason: maybe(parsed.reason),
      lastAssistantMessage: maybe(parsed.lastAssistantMessage),
      prompt: maybe(parsed.prompt),
      title: maybe(parsed.title),
      tool: parsed.tool === null ? null : { ...parsed.tool, summary: maybe(parsed.tool.summary) },
      running: parsed.running?.map((work) => ({ ...work, label: maybe(work.label) })) ?? null,
      unknown: redactFields(parsed.unknown, redactor) as Readonly<Record<string, unknown>>, // an object stays one
    },
  };
}

/** More than this of one text (UTF-16 units) is used nowhere. */
const MAX_LENGTH = 16_000;
/** Bounds on fields no adapter knows: units in all, nodes in all, depth. */
const UNKNOWN_LIMITS = { units: 32_000, nodes: 1_000, depth: 8, key: 200 } as const;
const MAX_TASKS = 50;
const OMITTED = '(left out)';

/** A copy, as a slice would keep the whole text in memory. */
function truncate(text: string): string {
  return text.length > MAX_LENGTH ? Buffer.from(cutAtSpace(text, MAX_LENGTH), 'utf16le').toString('utf16le') : text;
}

const truncateOrNull = (text: string | null): string | null => (text === null ? null : truncate(text));

type Fields = Readonly<Record<string, unknown>>;

function truncateFields(fields: Fields): Fields {
  let units = 0;
  let nodes = 0;
  const walk = (value: unknown, depth: number): unknown => {
    nodes += 1;
    if (nodes > UNKNOWN_LIMITS.nodes) return OMITTED;
    if (typeof value === 'string') {
      const text = truncate(value);
      units += text.length;
      return units > UNKNOWN_LIMITS.units ? OMITTED : text;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= UNKNOWN_LIMITS.depth) return OMITTED;
    if (Array.isArray(value)) return value.slice(0, UNKNOWN_LIMITS.nodes).map((item) => walk(item, depth + 1));
    const entries = Object.entries(value).slice(0, UNKNOWN_LIMITS.nodes);
    return Object.fromEntries(entries.map(([key, item]) => [key.slice(0, UNKNOWN_LIMITS.key), walk(item, depth + 1)]));
  };
  return walk(fields, 0) as Fields; // an object stays one
}

/** The same input, bounded. */
export function truncateIncoming(incoming: Incoming): Incoming {
  if (incoming.type === 'event') {
    const { event } = incoming;
    return {
      ...incoming,
      event: { ...event, message: truncateOrNull(event.message), attributes: truncateFields(event.attributes) },
    };
  }
  const { parsed } = incoming;
  return {
    ...incoming,
    parsed: {
      ...parsed,
      message: truncateOrNull(parsed.message),
      reason: truncateOrNull(parsed.reason),
      lastAssistantMessage: truncateOrNull(parsed.lastAssistantMessage),
      prompt: truncateOrNull(parsed.prompt),
      title: truncateOrNull(parsed.title),
      tool:
        parsed.tool === null
          ? null
          : { name: truncate(parsed.tool.name), summary: truncateOrNull(parsed.tool.summary) },
      running:
        parsed.running?.slice(0, MAX_TASKS).map((work) => ({ ...work, label: truncateOrNull(work.label) })) ?? null,
      unknown: truncateFields(parsed.unknown),
    },
  };
}
