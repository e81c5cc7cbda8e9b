// Takes secrets out of all text of an input before anything is decided, so that none reaches the session record, the events or the logs.
import type { Incoming } from '../../model/event/incoming.ts';
import { type Redactor, redactEvent } from '../../redaction/index.ts';

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
