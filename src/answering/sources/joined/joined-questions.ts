// Questions of joined sessions: nobody waits for their answers but the session itself, whose own prompt stays usable meanwhile.
import { isDeepStrictEqual } from 'node:util';
import { type Background, createBackground } from '../../../lib/background.ts';
import type { Clock } from '../../../lib/clock.ts';
import { contentDigest } from '../../../lib/hash.ts';
import { type AskedQuestion, type Handed, SETTING_OF } from '../../../model/answering.ts';
import type { Config } from '../../../model/config.ts';
import { notificationIdOf, type SessionKey, sessionKeyText } from '../../../model/ids.ts';
import type { IncomingHook } from '../../../model/incoming.ts';
import type { JoinedRequest } from '../../../model/joining.ts';
import type { Question } from '../../../model/question.ts';
import type { ClientProcess } from '../../../model/session.ts';
import type { Store } from '../../../store/contract.ts';
import { AT_TERMINAL } from '../../../model/terminal-only.ts';
import { RESTARTED, SESSION_GONE } from '../../messages/answered-words.ts';
import { askedBefore } from '../../questions/asked-before.ts';
import { type ClientWatch, createClientWatch } from '../../questions/client-watch.ts';
import { endOfWait } from '../../questions/end-of-wait.ts';
import { type JoinedQuestion, type JoinedSource, openQuestion, type Opening } from './joined-question.ts';
import { createKeptQuestions, type KeptQuestions, type QuestionRow } from '../../questions/kept-questions.ts';
import { createQuestionRows, type QuestionRows } from '../../questions/question-rows.ts';
import { createReportedRequests, type ReportedRequests } from '../../questions/reported-requests.ts';
import { subjectOf } from '../../questions/subject-of.ts';
import type { Answerable } from '../../questions/wait.ts';

/** Questions that may be open at once; a further one is answered at the terminal. */
const MOST = 100;

/** What it needs. */
export interface JoinedQuestionsDeps {
  readonly store: Pick<Store, 'putQuestion' | 'tieQuestion' | 'closeQuestion' | 'questions'>;
  readonly clock: Clock;
  readonly config: () => Config;
  readonly redact: (text: string) => string;
  /** Those of them that have exited. */
  readonly exited: (clients: readonly ClientProcess[]) => Promise<readonly ClientProcess[]>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** A session that has finished a turn and takes its next instruction. */
export interface RestingSession extends Pick<JoinedSource, 'session' | 'client'> {
  /** The hook that said so. */
  readonly hook: IncomingHook;
  readonly isReachable: () => Promise<boolean>;
  readonly reply: (text: string) => Promise<Handed>;
}

/** All that are open. */
export class JoinedQuestions {
  readonly #deps: JoinedQuestionsDeps;
  readonly #open = new Map<string, JoinedQuestion>();
  /** Those of them that have a row. */
  readonly #written = new Set<string>();
  readonly #kept: KeptQuestions;
  readonly #reported: ReportedRequests;
  readonly #rows: QuestionRows;
  readonly #background: Background;
  readonly #clients: ClientWatch;

  constructor(deps: JoinedQuestionsDeps) {
    const { clock, exited, log, store } = deps;
    this.#deps = deps;
    this.#background = createBackground((error) => log('a question could not be written', { error: String(error) }));
    this.#rows = createQuestionRows(store, this.#background);
    this.#kept = createKeptQuestions(clock, this.#rows.close);
    this.#reported = createReportedRequests(clock);
    this.#clients = createClientWatch({ clock, exited, background: this.#background, waits: () => this.#all() });
  }

  readonly get = (id: string): Answerable | undefined => this.#open.get(id);

  /** How many of its requests are open. */
  openOf(source: JoinedSource): number {
    return this.#of(source).length;
  }

  /** Of a daemon before this one. */
  keep(question: Question): void {
    this.#kept.keep(question, RESTARTED);
  }

  asked(source: JoinedSource, { id, raw, question: given }: JoinedRequest): void {
    const { session, client } = source;
    const question: AskedQuestion = { ...given, sessionId: session.sessionId };
    if (!this.#isWanted(question)) {
      source.forget?.(id);
      return;
    }
    const digest = contentDigest(Buffer.from(`${session.sessionId}\n${raw}`));
    const subject = subjectOf({ session, question }, this.#deps.redact);
    const kept = this.#kept.take(sessionKeyText(session), digest);
    // What an earlier version, or other settings, have shown otherwise is not what is asked now.
    const row = isDeepStrictEqual(kept?.subject, subject) ? kept : null;
    const opened = this.#begin({
      ...{ session, question, subject, digest, client, row, from: { source, requestId: id } },
      startedAt: this.#deps.clock.now(),
      hand: (answer) => (answer.type === 'reply' ? Promise.resolve('unsent') : source.answer(id, answer)),
    });
    if (row === null) this.#background.run(this.#ask(opened, kept));
    else this.#written.add(row.id);
  }

  /** Somebody else answered it. */
  resolved(source: JoinedSource, requestId: string): void {
    for (const one of this.#of(source)) if (one.from?.requestId === requestId) one.leave(AT_TERMINAL);
  }

  /** What a session does not ask again is closed. */
  giveUp(session: SessionKey): void {
    this.#kept.giveUp(sessionKeyText(session));
  }

  /** It asks nothing any more. */
  end(source: JoinedSource, why: string): void {
    for (const one of this.#of(source)) one.leave(why);
  }

  /** Its requests are kept for a while, should it come back. */
  lost(source: JoinedSource): void {
    for (const one of this.#of(source))
      if (this.#written.has(one.id)) one.forget();
      else one.leave(SESSION_GONE);
  }

  /** The question appears once the session is known to be reachable, if nothing has come meanwhile. */
  rests({ session, client, hook, isReachable, reply }: RestingSession): void {
    const { cwd, lastAssistantMessage } = hook.parsed;
    const common = { sessionId: session.sessionId, cwd, subagent: null, tool: null, partial: null, choices: [] };
    const question: AskedQuestion = { ...common, kind: 'text', text: lastAssistantMessage ?? '' };
    if (!this.#isWanted(question)) return;
    const { digest, startedAt, entryId } = hook;
    const subject = subjectOf({ session, question }, this.#deps.redact);
    const opened = this.#begin({
      ...{ session, question, subject, digest, startedAt, client, row: null, from: null, isReachable },
      hand: (answer) => (answer.type === 'reply' ? reply(answer.text) : Promise.resolve('unsent')),
    });
    const offer = async (): Promise<void> => {
      if (!(await isReachable())) opened.forget();
      else if (this.#open.has(opened.id)) await this.#put(opened, notificationIdOf(entryId));
    };
    this.#background.run(offer());
  }

  /** For every input of a hook: it may be what a request belongs to, or show that a session goes on. */
  observe(hook: IncomingHook): void {
    this.#reported.note(hook);
    for (const one of this.#all()) {
      // Most sessions say by themselves how what they ask was settled.
      const shown = one.from === null || one.from.source.isSilent === true || hook.parsed.signal === 'ended';
      const why = shown ? endOfWait(one, hook) : null;
      if (why !== null) one.leave(why);
    }
  }

  /** What will be asked again stays as it is for the next daemon. */
  async stop(): Promise<void> {
    this.#clients.stop();
    this.#kept.stop();
    for (const one of this.#all())
      if (one.from === null) one.leave('the daemon stopped');
      else one.forget();
    await this.#background.idle();
  }

  #all(): readonly JoinedQuestion[] {
    return [...this.#open.values()];
  }

  #of(source: JoinedSource): readonly JoinedQuestion[] {
    return this.#all().filter(({ from }) => from?.source === source);
  }

  #isWanted({ kind }: AskedQuestion): boolean {
    return this.#open.size < MOST && this.#deps.config().answer.kinds.includes(SETTING_OF[kind]);
  }

  #begin(opening: Opening): JoinedQuestion {
    const { clock, config, log } = this.#deps;
    const opened = openQuestion(
      opening,
      { clock, waitMs: config().answer.wait },
      {
        ended: (id) => {
          this.#open.delete(id);
          this.#written.delete(id);
          opening.from?.source.forget?.(opening.from.requestId);
        },
        left: (id, why) => {
          log('a question can no longer be answered', { question: id, why });
          this.#rows.close(id, why);
        },
        forgotten: (row) => {
          if (opening.from !== null) this.#kept.keep(row, SESSION_GONE);
        },
      },
    );
    this.#open.set(opened.id, opened);
    if (opened.client !== null) this.#clients.start();
    const { session, question } = opening;
    log('a session waits for an answer', { question: opened.id, agent: session.agent, kind: question.kind });
    return opened;
  }

  /** The question appears once its notification is known, so that whoever sees one finds the other; it takes the place of what was shown `before`. */
  async #ask(opened: JoinedQuestion, before: QuestionRow | null): Promise<void> {
    const { store } = this.#deps;
    if (before !== null) await store.closeQuestion(before.id, RESTARTED);
    const notification = (await askedBefore(store, opened)) ?? (await this.#reported.notificationOf(opened));
    if (!this.#open.has(opened.id)) return;
    await this.#put(opened, notification);
    if (notification !== null || !this.#open.has(opened.id)) return;
    const end = this.#reported.whenReported(opened, (late) => this.#background.run(store.tieQuestion(opened.id, late)));
    void opened.left.then(end);
  }

  async #put(opened: JoinedQuestion, notification: string | null): Promise<void> {
    const { id, nonce, deadline, digest, question, session, subject } = opened;
    await this.#rows.put({
      ...{ id, nonce, deadline, kind: question.kind, inputHash: digest },
      notificationId: notification ?? notificationIdOf(id),
      sessionKey: sessionKeyText(session),
      subject,
    });
    if (this.#open.has(id)) this.#written.add(id);
  }
}
