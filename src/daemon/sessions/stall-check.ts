// Checks a session that was working and has been silent for `stalled_after`: no event, no growth of its transcript.
import type { Files } from '../../files/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Config } from '../../model/settings/config.ts';
import type { Event } from '../../model/event/event.ts';
import { sessionEvent } from '../../model/event/session-event.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import type { Store } from '../../store/contract.ts';
import type { TimerHandler } from '../../model/event/verdict.ts';
import { sha256 } from '../../lib/hash.ts';
import { sessionKeyOf } from '../../model/session/session-timer.ts';

export interface StallCheckDeps {
  readonly store: Pick<Store, 'session' | 'setTimer' | 'clearTimer'>;
  readonly clock: Clock;
  readonly config: () => Config;
  readonly files: Files;
  /** Hands an own event to ingest. */
  readonly raise: (event: Event, occurrence: string) => Promise<void>;
}

/** Unix ms of the transcript's last growth; null where it cannot be seen: only events count. */
async function transcriptModifiedAt(transcript: string | null, files: Files): Promise<number | null> {
  return (transcript === null ? null : await files.target(transcript))?.mtimeMs ?? null;
}

/** Of these times the latest; one in the future was written before the clock was set back, and the timer moves with each event. */
function lastSign(times: readonly number[], set: number, now: number): number {
  return Math.max(...times.map((at) => (at > now ? set : at)));
}

function stalledEvent(record: SessionRecord, silent: number, isSeen: boolean, now: number): Event {
  const hash = sha256(`${record.agent}:${record.sessionId}:${record.lastEvent}`);
  return sessionEvent(record, {
    id: `stalled-${hash.slice(0, 24)}`,
    kind: 'session.failed',
    message: isSeen
      ? 'It was at work, and neither an event nor its transcript has come on since.'
      : 'It was at work, and no event has come since.',
    abnormal: true,
    detail: 'stalled',
    urgency: 'normal',
    at: now,
    attributes: { seconds: Math.round(silent / 1_000) },
  });
}

/** The handler of timers of kind `stall`. */
export function stallHandler(deps: StallCheckDeps): TimerHandler {
  const { store, clock } = deps;
  return async (timer) => {
    const agent = String(timer.data['agent']);
    const record = await store.session(sessionKeyOf(timer));
    const after = deps.config().agents[agent]?.stalled_after;
    if (record === null || record.state !== 'working' || after === undefined) return store.clearTimer(timer.id);
    const now = clock.now();
    const grown = await transcriptModifiedAt(record.transcript, deps.files);
    const last = lastSign([record.lastEvent, grown ?? 0], timer.due - after, now);
    if (now - last < after) return store.setTimer({ ...timer, due: last + after }, now);
    const event = stalledEvent(record, now - last, grown !== null, now);
    await deps.raise(event, event.id);
    await store.clearTimer(timer.id);
  };
}
