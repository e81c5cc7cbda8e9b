// Whether a session that has stopped can be given its next instruction: something of it waits for one.
import { type Clock, sleep } from '../../lib/clock.ts';
import { asObject } from '../../lib/json/json.ts';
import type { Event } from '../../model/event/event.ts';
import { sessionKeyText } from '../../model/ids.ts';
import type { Question } from '../../model/question/question.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import type { StoppedSession } from '../../model/session/stopped.ts';
import { memoryOf } from '../../pipeline/index.ts';
import type { Store } from '../../store/contract.ts';

type Questions = Pick<Store, 'questions'>;

/** Ms within which that is known, and between two looks. */
const KNOWN_WITHIN = 5_000;
const LOOKS_APART = 250;
/** Questions that are over, of those looked at: the latest. */
const MOST_PAST = 1_000;

/** What waits for its next instruction; null: nothing does, or it asks something else first. */
export async function instructable(record: SessionRecord, store: Questions): Promise<Question | null> {
  return takesInstruction(sessionKeyText(record), await store.questions({ states: ['open'] }));
}

/** The same, of the questions that are open. */
export function takesInstruction(key: string, open: readonly Question[]): Question | null {
  const [own, ...others] = open.filter(({ sessionKey }) => sessionKey === key);
  return own?.kind === 'text' && others.length === 0 ? own : null;
}

/** The same as soon as it is known: a hook that waits may come beside the one that said that its session stopped. */
export async function willBeInstructable(
  { record, failed }: StoppedSession,
  { store, clock }: { readonly store: Questions & Pick<Store, 'session'>; readonly clock: Clock },
  isOver: () => boolean,
): Promise<boolean> {
  for (const end = clock.now() + KNOWN_WITHIN; ; ) {
    const now = await store.session(record);
    if (memoryOf(now).failure?.id !== failed.id) return false;
    if ((await instructable(record, store)) !== null) return true;
    if (clock.now() >= end || isOver()) return false;
    await sleep(LOOKS_APART, clock);
  }
}

/** When it was handed an instruction since it stopped, Unix ms: then no other one is. Null: it was not. */
export async function instructedAt(record: SessionRecord, failed: Event, store: Questions): Promise<number | null> {
  const key = sessionKeyText(record);
  const past = await store.questions({ states: ['answered', 'closed'], limit: MOST_PAST });
  const given = past.find(
    ({ sessionKey, kind, answer, inputHash }) =>
      sessionKey === key && kind === 'text' && answer !== null && inputHash === failed.id,
  );
  const { at } = asObject(given?.answer);
  return given === undefined ? null : Number(at ?? 0);
}
