// Of several open prompts one was answered: the session goes on to wait for the others.
import { isPrompt as asksSomebody } from '../../model/event/event.ts';
import type { NotificationFacts } from '../../dispatch/notification-facts.ts';
import type { InputState, StageContext } from '../pipeline-state.ts';
import { addVerdict } from '../pipeline-state.ts';

/** A permission or a question that waits for the person. */
export function isPrompt({ notification }: NotificationFacts): boolean {
  return asksSomebody(notification);
}

/** Its session's row waits as long as one of its prompts is open. `resolved`: the notifications that this input resolves. */
export function keepWaiting(
  state: InputState,
  resolved: readonly NotificationFacts[],
  { facts }: StageContext,
): InputState {
  const before = facts.record;
  if (before?.state !== 'waiting' || state.record?.state !== 'working') return state;
  const left = facts.open.filter((open) => isPrompt(open) && !resolved.includes(open)).at(-1);
  if (left === undefined) return state;
  const record = {
    ...state.record,
    state: 'waiting',
    since: before.since,
    waitingFor: left.notification.detail,
  } as const;
  return addVerdict({ ...state, record }, 'session', 'change', 'working -> waiting: another prompt is open');
}
