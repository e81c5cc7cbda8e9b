// Events about a session that no hook reported: Belfry found them out by itself.
import type { Event } from './event.ts';
import type { SessionRecord } from '../session/session.ts';

type Found = Pick<Event, 'id' | 'kind' | 'message' | 'abnormal' | 'detail' | 'urgency' | 'at' | 'attributes'>;

/** An event of this session, with what was found out about it. */
export function sessionEvent(record: SessionRecord, found: Found): Event {
  const { agent, host, user, sessionId, cwd, project, branch } = record;
  const session = { agent, host, user, sessionId, cwd, project, branch };
  const remote = record.process?.where;
  const attributes = remote === undefined ? found.attributes : { ...found.attributes, remote };
  return { ...session, place: null, hookEvent: null, reason: null, presetText: null, ...found, attributes };
}
