// One line an event, as `events` lists and follows them.
import { clockTime } from '../model/clock-time.ts';
import type { StoredEvent } from '../store/contract.ts';
import type { Cell, Tone } from './table-output.ts';

export const EVENT_HEAD = ['TIME', 'ID', 'KIND', 'DETAIL', 'AGENT', 'PROJECT', 'TOLD', 'MESSAGE'];

/** The cells of {@link EVENT_HEAD}. */
export function eventRow({ event, verdicts }: StoredEvent, short: (id: string) => string): Cell[] {
  const tone: Tone = event.abnormal || event.urgency === 'urgent' ? 'bad' : event.urgency === 'low' ? 'dim' : 'plain';
  const last = verdicts.findLast((verdict) => verdict.verdict === 'to' || verdict.verdict === 'stop');
  const told = last === undefined ? 'nobody' : last.verdict === 'to' ? last.note : `no: ${last.note}`;
  return [
    { text: clockTime(event.at), tone: 'dim' },
    short(event.id),
    { text: event.kind, tone },
    event.detail ?? event.reason ?? '',
    event.agent,
    event.project ?? '',
    { text: told, tone: last?.verdict === 'to' ? 'good' : 'dim' },
    event.words?.title ?? event.message ?? '',
  ];
}
