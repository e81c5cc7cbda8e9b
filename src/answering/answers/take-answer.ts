// Takes a person's answer: to a question as it was shown, one that it takes, not too often, and the first one only.
import type { Clock } from '../../lib/clock.ts';
import {
  type Answer,
  type Answerer,
  type FinalAnswer,
  SETTING_OF,
  subjectSchema,
} from '../../model/question/answering.ts';
import { ChangedError, EXIT, UserError } from '../../model/errors.ts';
import type { Question } from '../../model/question/question.ts';
import { wasSeen } from '../../model/question/seen.ts';
import type { Store } from '../../store/contract.ts';
import { finalAnswer } from './answer-for-agent.ts';
import { handOver, nobody } from './hand-over.ts';
import { withOriginalOptions } from './original-options.ts';
import { createRateLimit } from './rate-limit.ts';
import type { Asked, AskedNow } from '../questions/asker.ts';
import type { OpenQuestion } from '../questions/open-question.ts';

/** An answer as a way hands it in. */
export interface GivenAnswer {
  readonly id: string;
  /** What was handed out with the question as it was shown. */
  readonly seen: string;
  readonly answer: Answer;
  readonly answerer: Answerer;
}

/** What it needs. */
export interface AnswerDeps {
  readonly store: Pick<Store, 'question' | 'answerQuestion' | 'settleAnswer' | 'changeQuestion'>;
  /** Acknowledges the notification of the question, everywhere it was sent. */
  readonly acknowledge: (notificationId: string, by: Answerer) => Promise<unknown>;
  readonly clock: Clock;
  /** What can be answered now, by its question. */
  readonly answerable: (questionId: string) => OpenQuestion | undefined;
  /** Whether the settings in force let this kind be answered from elsewhere. */
  readonly takes: (kind: Question['kind']) => boolean;
  /** What cannot be answered now, and may be soon. */
  readonly mayGoOn: (questionId: string) => boolean;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

const NOT_YET = 'the agent cannot be reached at this moment: try again in a few seconds (nothing was sent)';
const NOT_NOW = 'this is not what it asks now';
const MINUTE = 60_000;
/** Refused answers of one caller in a minute: more is a guesser or a loop. */
const REFUSED = 60;
/** Replies to one session in an hour: each of them is a turn. */
const REPLIES = 30;

/** An answer that may be given. */
interface Checked {
  readonly question: Question;
  readonly open: OpenQuestion;
  readonly final: FinalAnswer;
  readonly original: FinalAnswer;
}

/** Takes answers; resolves when the agent has this one. UserError says who was first, or what is wrong with it. */
export function createAnswerer(deps: AnswerDeps): (given: GivenAnswer) => Promise<void> {
  const { store, clock, answerable, takes, mayGoOn, log } = deps;
  const refused = createRateLimit(REFUSED, MINUTE);
  const replies = createRateLimit(REPLIES, 60 * MINUTE);

  /** `final`: as people have seen it; `original`: as the agent asked. */
  async function check({ id, seen, answer, answerer }: GivenAnswer): Promise<Checked> {
    if (!refused.allows(callerOf(answerer), clock.now()))
      throw tooMany(`${REFUSED} answers were refused within a minute: wait a little`);
    const question = await store.question(id);
    if (question === null) throw unknown(id);
    refuseSettled(question);
    if (!takes(question.kind))
      throw nobody(`[answer] kinds does not let "${SETTING_OF[question.kind]}" be answered from elsewhere`);
    if (!wasSeen(question, seen)) throw new ChangedError(NOT_NOW);
    const open = answerable(id);
    if (open === undefined && mayGoOn(id)) throw new UserError(NOT_YET, EXIT.refused);
    if (open === undefined) throw nobody('the agent no longer waits for an answer from elsewhere');
    const subject = subjectSchema.parse(question.subject);
    const final = finalAnswer(question.kind, subject, answer);
    const { asked, asker } = open;
    if (final.type === 'allow' && asker.lookAgain !== undefined)
      await expectSame(question, await asker.lookAgain(), store);
    const original = withOriginalOptions(final, subject.choices, asked.question.choices);
    const fault = asker.fault?.(original) ?? null;
    if (fault !== null) throw new UserError(`${fault} (nothing was sent)`, EXIT.usage);
    if ((await asker.isReachable?.()) === false) throw unreached(asked);
    if (final.type === 'reply' && !replies.take(question.sessionKey, clock.now()))
      throw tooMany(`more than ${REPLIES} replies to this session in an hour`);
    return { question, open, final, original };
  }

  return async (given) => {
    const { id, answerer } = given;
    try {
      const { question, open, final, original } = await check(given);
      const { nonce, inputHash } = question;
      const now = clock.now();
      const answer = { ...final, ...answerer, at: now };
      const by = `${answerer.by} (${answerer.via})`;
      const release = open.hold();
      try {
        const result = await store.answerQuestion({ id, nonce, inputHash, answer, by, now });
        if (result === 'unknown') throw unknown(id);
        if (result === 'closed') throw over(await store.question(id), question);
        if (result !== 'answered') throw taken(result.conflict);
        await handOver(open, original, (why) => store.settleAnswer({ id, nonce, by, why }));
      } finally {
        release();
      }
      log('a question was answered', { question: id, answer: final.type, by });
      await acknowledge(id, answerer, deps);
    } catch (error) {
      if (isOffence(error)) refused.take(callerOf(answerer), clock.now());
      if (error instanceof UserError) log('an answer was refused', { question: id, ...answerer, why: error.message });
      throw error;
    }
  };
}

/** The agent has the answer: what fails now concerns the notification only. */
async function acknowledge(id: string, answerer: Answerer, { store, acknowledge, log }: AnswerDeps): Promise<void> {
  try {
    const { notificationId } = (await store.question(id)) ?? {};
    if (notificationId !== undefined) await acknowledge(notificationId, answerer);
  } catch (error) {
    log('the notification of an answered question could not be acknowledged', { question: id, error: String(error) });
  }
}

/** What is allowed is what was shown: a plan in a file may be another one by now, and is shown then. */
async function expectSame(
  { id, inputHash }: Question,
  now: AskedNow,
  store: Pick<Store, 'changeQuestion'>,
): Promise<void> {
  if (now.inputHash === inputHash) return;
  if (await store.changeQuestion(id, { inputHash: now.inputHash, subject: now.subject })) now.show();
  throw new ChangedError('what it asks has changed since it was shown');
}

/** It was still open when the answer was checked. */
function over(now: Question | null, checked: Question): UserError {
  const isOther = now?.state === 'open' && now.inputHash !== checked.inputHash;
  return isOther ? new ChangedError(NOT_NOW) : nobody('the agent no longer waits for it');
}

/** Each by itself: nobody's wrong answers keep another from answering. */
const callerOf = ({ by, via }: Answerer): string => `${by}\n${via}`;

/** To come second is none; to have seen something else is, since it may be a guess. */
function isOffence(error: unknown): boolean {
  return !(error instanceof UserError) || error.exit !== EXIT.refused || error instanceof ChangedError;
}

/** The link to a machine elsewhere comes back, and the question is still asked then. */
const unreached = ({ remote }: Asked): UserError =>
  remote === undefined
    ? nobody('its session can no longer be reached')
    : new UserError(`${remote} is not connected now: try again once it is (nothing was sent)`, EXIT.refused);

const unknown = (id: string): UserError =>
  new UserError(`no question has the id "${id}": \`belfry pending\` lists them (nothing was sent)`, EXIT.notFound);

const tooMany = (what: string): UserError => new UserError(`${what} (nothing was sent)`, EXIT.rateLimited);

const taken = (by: string): UserError => new UserError(`${by} answered first (nothing was sent)`, EXIT.refused);

function refuseSettled({ state, answeredBy, closed }: Question): void {
  if (answeredBy !== null) throw taken(answeredBy);
  if (state === 'closed') throw nobody(closed ?? 'the agent no longer waits for it');
}
