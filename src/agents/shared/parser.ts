// Builds an adapter from a table: event name -> what it means.
import type * as z from 'zod';
import type { Agent, ParseHints, ParsedHook } from '../../model/agent/agent.ts';
import { type ReadFields, readFields } from './fields.ts';

/** What one event means; everything left out is not known. */
export type PartialHook = Pick<ParsedHook, 'kind' | 'signal' | 'urgency'> & Partial<ParsedHook>;

/** Reads one event's fields. */
export type EventParser<F> = (fields: F, hints: ParseHints) => PartialHook;

/** Where the fields that all events of a client share are found. */
interface Layout<S extends z.ZodRawShape> {
  readonly schema: z.ZodObject<S>;
  /** Name of the event; null when the input gives none. */
  readonly event: (fields: Fields<S>, hints: ParseHints) => string | null | undefined;
  readonly base: (fields: Fields<S>) => {
    readonly sessionId: string | null | undefined;
    readonly cwd: string | null | undefined;
    readonly transcript?: string | null | undefined;
  };
  /** The table's name for a name of the client's, where it has several for one event. */
  readonly entry?: (hookEvent: string) => string;
  /** By the event's name, or one parser for all. */
  readonly events: Readonly<Record<string, EventParser<Fields<S>>>> | EventParser<Fields<S>>;
}

type Fields<S extends z.ZodRawShape> = ReadFields<z.output<z.ZodObject<S>>>['fields'];

const NOTHING = {
  message: null,
  reason: null,
  abnormal: false,
  byUser: false,
  turnBegan: false,
  detail: null,
  lastAssistantMessage: null,
  prompt: null,
  tool: null,
  toolUseId: null,
  isSignal: false,
  occurrence: null,
  correlationKey: null,
  isFollowUp: false,
  speculative: false,
  running: null,
  resumesWithinMs: null,
  settlesWithinMs: null,
  subagent: null,
  parentSessionId: null,
  title: null,
  seconds: null,
  limit: null,
} as const satisfies Partial<ParsedHook>;

/** The `parse` of an agent; an event that is not in the table is `agent.other`. */
export function parser<S extends z.ZodRawShape>(layout: Layout<S>): Agent['parse'] {
  return (input, hints) => {
    const { fields, unknown } = readFields(layout.schema, input);
    const hookEvent = layout.event(fields, hints) || 'unknown';
    const entry = layout.entry?.(hookEvent) ?? hookEvent;
    const reading =
      typeof layout.events === 'function'
        ? layout.events
        : Object.hasOwn(layout.events, entry)
          ? layout.events[entry]
          : undefined;
    const { sessionId, cwd, transcript } = layout.base(fields);
    return {
      ...NOTHING,
      hookEvent,
      sessionId: sessionId || null,
      cwd: cwd || null,
      transcript: transcript || null,
      unknown,
      ...(reading?.(fields, hints) ?? { kind: 'agent.other', signal: 'none', urgency: 'normal' }),
    };
  };
}
