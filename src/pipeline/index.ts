// The pipeline: pure. assess > dedupe > ledger > fold > hold > silence > route.
import type { Event } from '../model/event.ts';
import type { Incoming } from '../model/incoming.ts';
import { assess, begin } from './assess.ts';
import { dedupe } from './dedupe.ts';
import { fold } from './fold.ts';
import { heldAsTold, hold } from './hold.ts';
import { ledger } from './ledger.ts';
import { marksOf, withMarks } from './marks.ts';
import { type Bench, type Matter, type Stage, say } from './matter.ts';
import { route } from './route.ts';
import { notAhead } from './set-back.ts';
import { silence } from './silence.ts';
import { watchSilence } from './stall.ts';
import { noteTold } from './told.ts';

const STAGES: readonly Stage[] = [assess, dedupe, ledger, fold, hold, silence, route];

function through(stages: readonly Stage[], first: Matter, bench: Bench): Matter {
  return stages.reduce((matter, stage) => (matter.going ? stage(matter, bench) : matter), first);
}

/** Decides what comes of one input: its event, verdicts, the session's row, timers and channels. A stage that says stop ends the way. */
export function decide(incoming: Incoming, bench: Bench): Matter {
  const { record } = bench.facts;
  const facts = { ...bench.facts, record: record && notAhead(record, incoming.startedAt, bench.now) };
  const now = { ...bench, facts };
  return watchSilence(noteTold(through(STAGES, begin(incoming, facts), now), now), now);
}

/** Decides again on a finish whose hold is over; null when the session has moved on and it is moot. */
export function decideHeld(incoming: Incoming, event: Event, bench: Bench): Matter | null {
  const { record } = bench.facts;
  const { held, ...rest } = marksOf(record);
  if (record === null || held?.id !== event.id) return null;
  const still = record.running.length > 0;
  const told = withMarks(
    { ...record, state: still ? record.state : 'finished', marks: rest },
    { finished: { at: bench.now, id: event.id, channels: [] } },
  );
  const matter: Matter = { ...begin(incoming, bench.facts), event: heldAsTold(event, record.running), record: told };
  const note = still
    ? 'its wait is over, and background work still runs: told now'
    : 'the last of it has ended: told now';
  const waited = say(matter, 'hold', 'change', note);
  return noteTold(through([silence, route], waited, bench), bench);
}

export { atRest } from './at-work.ts';
export { identity } from './dedupe.ts';
export { HOLD } from './hold.ts';
export { marksOf } from './marks.ts';
export type { Bench, Facts, Matter } from './matter.ts';
export { render } from './render.ts';
export { STALL } from './stall.ts';
