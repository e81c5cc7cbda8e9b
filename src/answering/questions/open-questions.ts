// All questions that somebody can answer now, whoever asks them: their rows, what ends them, and those that may be asked again.
import { isDeepStrictEqual } from 'node:util';
import { type Background, createBackground } from '../../lib/async/background.ts';
import type { Clock } from '../../lib/clock.ts';
import { SETTING_OF } from '../../model/question/answering.ts';
import type { Config } from '../../model/settings/config.ts';
import { type Ending, endingWords } from '../../model/question/endings.ts';
import { notificationIdOf, type SessionKey, sessionKeyText } from '../../model/ids.ts';
import type { IncomingHook } from '../../model/event/incoming.ts';
import type { Question } from '../../model/question/question.ts';
import type { ClientProcess } from '../../model/session/session.ts';
import type { Store } from '../../store/contract.ts';
import { askedBefore } from './asked-before.ts';
import { type Asked, type AskedNow, type Asker, type Client, SOURCES } from './asker.ts';
import { type ClientWatch, createClientWatch } from './client-watch.ts';
import { endOfWait } from './end-of-wait.ts';
import { KeptQuestions } from './kept-questions.ts';
import { OpenQuestion, type QuestionOwner } from './open-question.ts';
import { QuestionRows } from './question-rows.ts';
import { createReports, type Reports } from './hook-reports.ts';
import { subjectOf } from './subject-of.ts';

/** Questions that may be open at once; a further one is answered at the terminal. */
const MAX_OPEN = 200;

/** What it needs. */
export interface OpenQuestionsDeps {
  readonly store: Pick<Store, 'putQuestion' | 'tieQuestion' | 'closeQuestion' | 'questions'>;
  readonly clock: Clock;
  readonly config: () => Config;
  readonly redact: (text: string) => string;
  /** Those of them that have exited. */
  readonly exited: (clients: readonly ClientProcess[]) => Promise<readonly ClientProcess[]>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** The one place that holds them. */
export class OpenQuestions {
  readonly reports: Reports;
  readonly #deps: OpenQuestionsDeps;
  readonly #open = new Map<string, OpenQuestion>();
  readonly #background: Background;
  readonly #rows: QuestionRows;
  readonly #kept: KeptQuestions;
  readonly #clients: ClientWatch;
  readonly #owner: QuestionOwner;

  constructor(deps: OpenQuestionsDeps) {
    const { clock, exited, log, store } = deps;
    this.#deps = deps;
    this.#background = createBackground((error) => log('a question could not be written', { error: String(error) }));
    this.#rows = new QuestionRows(store, this.#background);
    this.#kept = new KeptQuestions(clock, (id, why) => this.#rows.close(id, why));
    this.reports = createReports(clock);
    this.#clients = createClientWatch({ clock, exited, background: this.#background, waits: () => this.all() });
    this.#owner = {
      clock,
      over: ({ id }) => void this.#open.delete(id),
      ended: (question, why) => this.#ended(question, why),
      kept: (row, why) => this.#kept.keep(row, why),
    };
  }

  /** Unix ms. */
  readonly now = (): number => this.#deps.clock.now();

  /** What can be answered now. */
  readonly get = (id: string): OpenQuestion | undefined => {
    const found = this.#open.get(id);
    return found?.isOpen === true ? found : undefined;
  };

  /** Its asker cannot be heard now, and may be soon. */
  readonly mayGoOn = (id: string): boolean => this.#kept.has(id);

  /** All; ending one does not disturb who goes through them. */
  all(): readonly OpenQuestion[] {
    return [...this.#open.values()];
  }

  /** Whether the settings let this kind be answered from elsewhere. */
  readonly takes = (kind: Question['kind']): boolean => this.#deps.config().answer.kinds.includes(SETTING_OF[kind]);

  /** Null: it is left to the terminal. `waitMs`: how long it can be answered; null: as long as the settings say. */
  ask(asked: Asked, asker: Asker, client: Client, waitMs: number | null = null): OpenQuestion | null {
    if (!this.takes(asked.question.kind) || this.#open.size >= MAX_OPEN) return null;
    const question = this.#begin(asked, asker, waitMs ?? this.#deps.config().answer.wait);
    this.watch(question, client);
    this.put(question);
    return question;
  }

  /** From now on it can end; nobody is asked before `put`. `longest`: ms that it waits at most. */
  begin(asked: Asked, asker: Asker, longest = Infinity): OpenQuestion {
    return this.#begin(asked, asker, Math.min(this.#deps.config().answer.wait, longest));
  }

  #begin(asked: Asked, asker: Asker, waitMs: number): OpenQuestion {
    const row = SOURCES[asker.source].asksAgain ? this.#kept.take(sessionKeyText(asked.session), asked.digest) : null;
    const isSame = row !== null && isDeepStrictEqual(row.subject, subjectOf(asked, this.#deps.redact));
    const question = new OpenQuestion(asked, asker, waitMs, isSame ? row : null, this.#owner);
    // What an earlier version, or other settings, have shown otherwise is not what is asked now.
    if (!isSame) question.replaced = row;
    this.#open.set(question.id, question);
    return question;
  }

  /** People are asked once its notification is known, so that whoever sees one finds the other. */
  put(question: OpenQuestion): void {
    const { id, asked, asker } = question;
    const { agent } = asked.session;
    this.#deps.log('an agent waits for an answer', { question: id, agent, kind: asked.question.kind });
    if (question.row === null) this.#background.run(this.#put(question, asker));
  }

  /** Its exit ends the question. */
  watch(question: OpenQuestion, client: Client): void {
    question.client = client;
    if (client !== null) this.#clients.start();
  }

  /** For every input of a hook: it may be what a question belongs to, or show that its session went on. */
  observe(hook: IncomingHook): void {
    this.reports.note(hook);
    for (const question of this.all()) {
      const why = endOfWait(question, hook);
      if (why !== null) question.end(why);
    }
  }

  /** One that a daemon before this one left open, whose source may ask the same again. */
  keep(question: Question): void {
    this.#kept.keep(question, 'restarted');
  }

  /** A session is known to ask again nothing of what is still kept of it. */
  giveUp(session: SessionKey): void {
    this.#kept.giveUp(sessionKeyText(session));
  }

  /** What will be asked again stays as it is for the next daemon; an answer that is on its way is waited for. */
  async stop(): Promise<void> {
    this.#clients.stop();
    this.#kept.stop();
    for (const question of this.all()) question.lose('stopped');
    await this.#background.idle();
  }

  #ended({ id }: OpenQuestion, why: Ending): void {
    this.#deps.log('a question can no longer be answered', { question: id, why });
    this.#rows.close(id, why);
  }

  async #put(question: OpenQuestion, { isReachable, lookAgain }: Asker): Promise<void> {
    const { id, nonce, deadline, asked, replaced } = question;
    if ((await isReachable?.()) === false) return question.end('session-lost');
    if (replaced !== null) await this.#deps.store.closeQuestion(replaced.id, endingWords('restarted'));
    const [notification, now] = await Promise.all([this.#notificationOf(question), lookAgain?.() ?? this.#asIs(asked)]);
    if (!question.isOpen) return;
    now.show();
    const { inputHash, subject } = now;
    const row = { id, nonce, deadline, inputHash, subject, sessionKey: sessionKeyText(asked.session) };
    const notificationId = notification ?? notificationIdOf(id);
    await this.#rows.put({ ...row, kind: asked.question.kind, notificationId });
    question.row = row;
    if (notification === null && question.isOpen) this.#tieLate(question);
  }

  #asIs(asked: Asked): AskedNow {
    return { inputHash: asked.digest, subject: subjectOf(asked, this.#deps.redact), show: () => undefined };
  }

  async #notificationOf({ asked, asker: { source, notification: by } }: OpenQuestion): Promise<string | null> {
    if (typeof by === 'object') return by.id;
    const reported = () => this.reports.find(asked, by);
    const before = async () => (SOURCES[source].asksAgain ? askedBefore(this.#deps.store, asked) : null);
    // Words may be those of another request.
    return by === 'words' ? ((await before()) ?? reported()) : ((await reported()) ?? before());
  }

  /** On a busy machine the notifying hook may come much later: its message gets the buttons then. */
  #tieLate(question: OpenQuestion): void {
    const { asked, asker, id } = question;
    if (typeof asker.notification === 'object') return;
    const { store } = this.#deps;
    const end = this.reports.whenFound(asked, asker.notification, (notification) =>
      this.#background.run(store.tieQuestion(id, notification)),
    );
    void question.ended.then(end);
  }
}
