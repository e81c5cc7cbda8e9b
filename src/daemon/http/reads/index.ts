// The reads of the HTTP interface that may take a while: they run in a thread of their own, with their own connection.
import type { ApiCall, ApiResult } from '../../../http/api/contract.ts';
import type { EndpointName } from '../../../http/api/paths.ts';
import type { ReadContext } from './context.ts';
import { listDeliveries } from './deliveries.ts';
import { getEvent, getWhy, listEvents } from './events.ts';
import { listNotifications, listQuestions } from './notifications.ts';
import { getSession, listSessions } from './sessions.ts';
import { getTimeline } from './timeline.ts';
import { changedRows } from './changed-rows.ts';
import { previewRules } from './rules-preview.ts';

/** Endpoints that are read so. */
export const ENDPOINT_READS = {
  'sessions.list': listSessions,
  'sessions.get': getSession,
  'sessions.timeline': getTimeline,
  'events.list': listEvents,
  'events.get': getEvent,
  'events.why': getWhy,
  'notifications.list': listNotifications,
  'questions.list': listQuestions,
  'deliveries.list': listDeliveries,
} as const satisfies {
  readonly [K in EndpointName]?: (context: ReadContext, call: ApiCall<K>) => Promise<ApiResult<K>>;
};

export type EndpointReadName = keyof typeof ENDPOINT_READS;

/** With what the stream carries, and what other rules would have come to. */
export const READS = { ...ENDPOINT_READS, changedRows, previewRules } as const;

export type ReadName = keyof typeof READS;
