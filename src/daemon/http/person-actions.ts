// What a person does through the HTTP interface: acknowledges, answers, replies, goes to a session.
import type { ApiCall, ApiResult } from '../../http/api/contract.ts';
import { Refusal } from '../../http/api/refusal.ts';
import type { Caller, Handlers } from '../../http/api/routes.ts';
import type { Answer, Answerer } from '../../model/question/answering.ts';
import { ChangedError, UserError } from '../../model/errors.ts';
import { sessionKeyText } from '../../model/ids.ts';
import { HERE } from '../../model/session/whereabouts.ts';
import type { Question } from '../../model/question/question.ts';
import type { Notification } from '../../model/notification/notification.ts';
import { resolutionOf } from '../../model/notification/resolution.ts';
import { seenOf } from '../../model/question/seen.ts';
import { acknowledge } from '../../decisions/acknowledge.ts';
import { postponeSteps } from '../../decisions/postpone-steps.ts';
import { ALL } from '../../store/contract.ts';
import { byNotification } from '../../store/pending.ts';
import type { CommandContext } from '../commands/context.ts';
import { groupOf, nextSteps, questionJson } from './reads/notifications.ts';
import { sessionNamed } from './reads/sessions.ts';

type Named =
  | 'notifications.ack'
  | 'notifications.ackAll'
  | 'notifications.postpone'
  | 'questions.answer'
  | 'sessions.reply'
  | 'sessions.continue'
  | 'sessions.focus';

export function answerHandlers(deps: CommandContext): Pick<Handlers, Named> {
  return {
    'notifications.ack': ({ params }, caller) => acknowledgeOne(params.id, caller, deps),
    'notifications.ackAll': ({ body }, caller) => acknowledgeAll(body, caller, deps),
    'notifications.postpone': (call, caller) => postpone(call, caller, deps),
    'questions.answer': ({ params, body }, caller) => answer(params.id, body, caller, deps),
    'sessions.reply': (call, caller) => reply(call, caller, deps),
    'sessions.continue': (call, caller) => goOn(call, caller, deps),
    'sessions.focus': ({ params }, caller) => focus(params.key, caller, deps),
  };
}

/** The page is this user's own; any other token goes by its name. */
function whoIs({ token }: Caller): Answerer {
  if (token === null || token.scopes.includes('page')) return { by: HERE.user, via: 'page' };
  return { by: `token ${token.name}`, via: 'HTTP interface' };
}

async function acknowledgeOne(
  id: string,
  caller: Caller,
  { deciding }: CommandContext,
): Promise<ApiResult<'notifications.ack'>> {
  const done = await acknowledge(id, whoIs(caller), deciding);
  if (done === null) throw new Refusal(404, 'there is no notification of this id');
  const { result, notification } = done;
  return { id, state: notification.state, result, why: resolutionOf(notification)?.why ?? null };
}

/** What asks something keeps waiting for its answer. */
async function acknowledgeAll(
  { kinds, until, group }: ApiCall<'notifications.ackAll'>['body'],
  caller: Caller,
  deps: CommandContext,
): Promise<ApiResult<'notifications.ackAll'>> {
  const { store, deciding } = deps;
  const last = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until);
  const isMeant = (one: Notification): boolean =>
    one.createdAt <= last && (group === undefined || groupOf({ notification: one, questions: [] }) === group);
  const asked = byNotification(await store.questions({ states: ['open'], limit: ALL }));
  const open = await store.notifications({ states: ['open'], kinds, limit: ALL });
  let acknowledged = 0;
  for (const { id } of open.filter((one) => !asked.has(one.id) && isMeant(one))) {
    const done = await acknowledge(id, whoIs(caller), deciding);
    if (done?.result === 'acknowledged') acknowledged += 1;
  }
  return { acknowledged };
}

async function postpone(
  { params: { id }, body }: ApiCall<'notifications.postpone'>,
  caller: Caller,
  { store, deciding, clock }: CommandContext,
): Promise<ApiResult<'notifications.postpone'>> {
  const done = await postponeSteps(id, body.minutes * 60_000, whoIs(caller), deciding);
  if (done === null) throw new Refusal(404, 'there is no notification of this id');
  if (done.result === 'over') throw new Refusal(409, 'it is not open any more: nothing of it is sent to people');
  if (done.result === 'nothing')
    throw new Refusal(
      409,
      body.minutes < 0 ? 'nothing of it was put off' : 'no escalation or reminder of it is planned for later',
    );
  return { id, next: nextSteps(await store.deliveryProgress([id]), clock.now()) };
}

async function answer(
  id: string,
  given: { readonly seen: string; readonly answer: Answer },
  caller: Caller,
  { store, answering }: CommandContext,
): Promise<ApiResult<'questions.answer'>> {
  if ((await store.question(id)) === null) throw new Refusal(404, 'there is no question of this id');
  const answerer = whoIs(caller);
  try {
    await answering.answer({ id, ...given, answerer });
  } catch (error) {
    if (error instanceof UserError) throw settled(await store.question(id), error);
    throw error;
  }
  return { id, by: `${answerer.by} (${answerer.via})` };
}

/** Somebody was first, nobody waits any more, or something else is asked; else what was wrong with the answer. */
function settled(question: Question | null, error: UserError): Error {
  if (question?.state === 'open' && error instanceof ChangedError)
    return new Refusal(412, error.message, { question: questionJson(question) });
  const by = question?.answeredBy ?? null;
  if (by !== null) return new Refusal(409, error.message, { answered_by: by }); // or it is on its way
  return question?.state === 'closed' ? new Refusal(410, error.message) : error;
}

async function reply(
  { params, body }: ApiCall<'sessions.reply'>,
  caller: Caller,
  deps: CommandContext,
): Promise<ApiResult<'sessions.reply'>> {
  const key = sessionKeyText(await sessionNamed(deps.store, params.key));
  const open = (await deps.store.questions({ states: ['open'] })).filter(({ sessionKey }) => sessionKey === key);
  const waiting = open.find(({ kind }) => kind === 'text');
  if (waiting === undefined)
    throw new Refusal(
      409,
      open.length > 0
        ? 'the session asks something: answer that first (nothing was sent)'
        : 'nothing takes a reply of this session now: its terminal does (nothing was sent)',
    );
  const given = { seen: seenOf(waiting), answer: { type: 'reply', text: body.text } } as const;
  await answer(waiting.id, given, caller, deps);
  return { question_id: waiting.id };
}

async function goOn(
  { params, body: { when } }: ApiCall<'sessions.continue'>,
  caller: Caller,
  { store, goingOn }: CommandContext,
): Promise<ApiResult<'sessions.continue'>> {
  const record = await sessionNamed(store, params.key);
  if (when === 'never') {
    await goingOn.hold([record]);
    return { result: 'off', at: null, why: null };
  }
  const [done] = await goingOn.goOn([record], when, whoIs(caller).by);
  if (done === undefined)
    throw new Refusal(409, 'no limit, server error or network error has stopped it (nothing was sent)');
  const { result, at, why } = done;
  if (result === 'refused') throw new Refusal(409, `${why} (nothing was sent)`);
  return { result, at: at === null ? null : new Date(at).toISOString(), why };
}

async function focus(
  name: string,
  { local }: Caller,
  { store, env }: CommandContext,
): Promise<ApiResult<'sessions.focus'>> {
  if (!local) throw new Refusal(403, 'windows are brought to the front only from the machine that they are on');
  const session = await sessionNamed(store, name);
  const { focusSession } = await import('../sessions/focus.ts');
  const { done, steps } = await focusSession(session, store, env);
  return { done, steps: steps.map((step) => ({ ...step })) };
}
