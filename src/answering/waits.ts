// Answering agents from elsewhere: hooks that wait, their questions in the store, and the first answer to each.
import { randomBytes } from 'node:crypto';
import type { AskOutput, AskWait } from '../ipc/ask.ts';
import type { Origin } from '../ipc/envelope.ts';
import type { Reply } from '../ipc/frames.ts';
import type { Clock } from '../lib/clock.ts';
import type { Agent } from '../model/agent.ts';
import { sessionKeyText, notificationIdOf } from '../model/ids.ts';
import type { Incoming } from '../model/incoming.ts';
import type { ClientProcess } from '../model/session.ts';
import { ancestorsFrom, processEntry } from '../runtime/process-table.ts';
import type { Store } from '../store/contract.ts';
import { type AdmissionDeps, admit } from './admit.ts';
import { endOfWait } from './end-of-wait.ts';
import { createNotifiedInputs } from './notified.ts';
import { subjectOf } from './subject-of.ts';
import type { Asked, Wait } from './wait.ts';

/** Hooks that may wait at once; one more leaves, and the terminal answers. */
const MOST = 100;
/** Clients of waiting hooks are looked for this often, ms: a client that is killed does not end its hooks. */
const LOOK = 900;

/** What it needs; passed in by the daemon. */
export interface AnsweringDeps extends AdmissionDeps {
  readonly store: Pick<Store, 'putQuestion' | 'closeQuestion' | 'questions'>;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  /** The client among the hook's ancestors. */
  readonly client: (agent: Agent, origin: Origin) => Promise<ClientProcess | null>;
  /** Hooks that run after a tool report it until the returned function is called: somebody may be first at the terminal. */
  readonly promptOpen: () => () => void;
  /** Those of them that have exited. */
  readonly exited: (clients: readonly ClientProcess[]) => Promise<readonly ClientProcess[]>;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

interface Opened {
  readonly wait: Wait;
  readonly output: Promise<AskOutput>;
  readonly findClient: () => Promise<void>;
}

/** The hooks that wait. */
export interface Waits {
  /** Closes the questions that a daemon before this one left open: their hooks have left with it. */
  start(): Promise<void>;
  /** Serves one hook to its end; `gone` aborts when it has left. */
  serve(
    args: Readonly<Record<string, unknown>>,
    reply: (reply: Reply) => Promise<void>,
    gone: AbortSignal,
  ): Promise<void>;
  /** For every input that is taken in: it may show that somebody was first at the terminal. Never throws. */
  observe(incoming: Incoming): void;
  /** The hook that waits with this question; undefined: none does any more. */
  get(questionId: string): Wait | undefined;
  /** Every hook leaves, and the terminals answer. */
  stop(): Promise<void>;
}

/** Builds it. */
export function createWaits(deps: AnsweringDeps): Waits {
  const { store, clock, log } = deps;
  const waits = new Map<string, Wait>();
  /** Writes to the store that a stop waits for. */
  const writes = new Set<Promise<unknown>>();
  /** Waits for which an answer is being written, how many; and why they were to end meanwhile. */
  const held = new Map<string, number>();
  const late = new Map<string, string>();
  const notified = createNotifiedInputs(clock);
  let state: 'running' | 'stopped' = 'running';
  let cancelLook: (() => void) | null = null;

  function own(write: Promise<unknown>): void {
    const done = write.catch((error: unknown) => log('a question could not be written', { error: String(error) }));
    writes.add(done);
    void done.then(() => writes.delete(done)); // never rejects
  }

  /** The hook leaves without an answer; its question is closed. */
  function close(wait: Wait, why: string): void {
    if (held.has(wait.id)) return void late.set(wait.id, why);
    if (!wait.end({ left: why })) return;
    log('a waiting hook leaves', { question: wait.id, why });
    own(store.closeQuestion(wait.id, why));
  }

  function hold(wait: Wait): () => void {
    held.set(wait.id, (held.get(wait.id) ?? 0) + 1);
    return () => {
      const others = (held.get(wait.id) ?? 1) - 1;
      if (others > 0) return void held.set(wait.id, others);
      held.delete(wait.id);
      const why = late.get(wait.id);
      late.delete(wait.id);
      if (why !== undefined) close(wait, why);
    };
  }

  /** The question appears once its notification is known, so that whoever sees one finds the other. */
  async function put(wait: Wait): Promise<void> {
    const notification = await notified.notificationOf(wait.digest, wait.startedAt);
    if (!waits.has(wait.id)) return;
    await store.putQuestion({
      id: wait.id,
      notificationId: notification ?? notificationIdOf(wait.id),
      sessionKey: sessionKeyText(wait.session),
      kind: wait.question.kind,
      subject: subjectOf(wait, deps.redact),
      inputHash: wait.digest,
      nonce: wait.nonce,
      deadline: wait.deadline,
    });
    if (!waits.has(wait.id)) await store.closeQuestion(wait.id, 'the agent no longer waits');
  }

  function look(): void {
    cancelLook = null;
    if (waits.size === 0 || state === 'stopped') return;
    const clients = [...waits.values()].flatMap(({ client }) => client ?? []);
    own(
      deps.exited(clients).then((exited) => {
        for (const wait of [...waits.values()])
          if (wait.client !== null && exited.includes(wait.client)) close(wait, 'the agent has exited');
      }),
    );
    watchClients();
  }

  function watchClients(): void {
    cancelLook ??= clock.setTimer(LOOK, look);
  }

  function open(asked: Asked, waitMs: number, gone: AbortSignal): Opened {
    let client: ClientProcess | null = null;
    let settle: (output: AskOutput) => void = () => undefined;
    const output = new Promise<AskOutput>((resolve) => {
      settle = resolve;
    });
    const id = `qst_${randomBytes(18).toString('base64url')}`;
    const wait: Wait = {
      ...asked,
      get client() {
        return client;
      },
      id,
      nonce: randomBytes(18).toString('base64url'),
      deadline: clock.now() + waitMs,
      end: (printed) => {
        if (!waits.delete(id)) return false;
        cancelDeadline();
        release();
        settle(printed);
        return true;
      },
      hold: () => hold(wait),
      left: new Promise((resolve) => gone.addEventListener('abort', () => resolve(), { once: true })),
    };
    const release = deps.promptOpen();
    const cancelDeadline = clock.setTimer(waitMs, () => close(wait, 'the time to answer was over'));
    gone.addEventListener('abort', () => close(wait, 'the agent no longer waits'), { once: true });
    waits.set(id, wait);
    const findClient = async (): Promise<void> => {
      client = await deps.client(asked.agent, withAncestors(asked.origin));
    };
    return { wait, output, findClient };
  }

  /** One session asks one thing at a time, and so does each of its subagents. */
  function replace(asked: Asked): void {
    const key = sessionKeyText(asked.session);
    for (const wait of [...waits.values()])
      if (sessionKeyText(wait.session) === key && wait.question.subagent === asked.question.subagent)
        close(wait, wait.question.kind === 'text' ? 'a later turn is over' : 'answered at the terminal');
  }

  return {
    start: async () => {
      const left = await store.questions({ states: ['open'] });
      for (const { id } of left) if (!waits.has(id)) await store.closeQuestion(id, 'the daemon was restarted');
    },
    serve: async (args, reply, gone) => {
      const asked = admit(args, deps);
      const why =
        typeof asked === 'string' ? asked : state === 'stopped' || waits.size >= MOST ? 'too many wait' : null;
      if (typeof asked === 'string' || why !== null || gone.aborted) return reply({ data: { left: why }, done: true });
      replace(asked);
      const waitMs = deps.config().answer.wait;
      const { wait, output, findClient } = open(asked, waitMs, gone);
      log('a hook waits for an answer', { question: wait.id, agent: asked.session.agent, kind: asked.question.kind });
      await reply({ data: { wait: waitMs } satisfies AskWait });
      // Only now: the hook leaves when it does not hear at once that it is to wait.
      own(put(wait));
      own(findClient().then(watchClients));
      await reply({ data: await output, done: true });
    },
    observe: (incoming) => {
      if (incoming.type !== 'hook') return;
      notified.note(incoming);
      for (const wait of [...waits.values()]) {
        const why = endOfWait(wait, incoming);
        if (why !== null) close(wait, why);
      }
    },
    get: (id) => waits.get(id),
    stop: async () => {
      state = 'stopped';
      cancelLook?.();
      for (const wait of [...waits.values()]) close(wait, 'the daemon stopped');
      await Promise.all(writes);
    },
  };
}

/** The hook waits for us, so it and its parents are running. */
function withAncestors(origin: Origin): Origin {
  const { pid, ppid } = origin;
  return processEntry(pid)?.ppid === ppid ? { ...origin, ancestors: ancestorsFrom(ppid) } : origin;
}
