// A notification: what a person reads, before a channel gives it its own form.
import type { Event, Urgency } from './event.ts';

/** A message of the session, for context. */
export interface ContextMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Unix ms, when known. */
  readonly at: number | null;
  /** Where it was found. */
  readonly from: 'service' | 'input' | 'transcript';
}

/** What enrichment adds to the hook input. */
export interface Context {
  /** Oldest first. */
  readonly messages: readonly ContextMessage[];
}

/** How much text leaves the machine. */
export const LEVELS = ['full', 'short', 'title'] as const;
export type Level = (typeof LEVELS)[number];

/** Redacted, plain text; every channel escapes and cuts for itself. */
export interface Notification {
  readonly title: string;
  readonly body: string;
  readonly urgency: Urgency;
  readonly abnormal: boolean;
  /** Number of events it covers; above 1 for a summary. */
  readonly count: number;
  readonly event: Event;
  readonly context: Context;
}
