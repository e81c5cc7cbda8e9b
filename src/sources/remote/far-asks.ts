// Hooks of machines elsewhere that wait for an answer (hooks/ask-far.sh): what they ask is served as what hooks here ask. Their words come as
// files, as events do; what they print goes by a line of the relay.
import {
  ASK_LIMIT,
  HANDED_WORDS,
  LAST_WORDS,
  type AskArgs,
  type AskOutput,
  type AskWait,
  type FarHook,
} from '../../ipc/ask.ts';
import type { Envelope } from '../../ipc/envelope.ts';
import type { Reply } from '../../ipc/frames.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Link } from './link.ts';
import type { FarAnswer, FarProcess } from './protocol.ts';

/** Hooks of one machine that may wait at once. */
const MOST = 50;
/** Ms between two looks whether those that wait still run. */
const LOOK = 2_000;
/** What a hook waits for is sent again so often, after so many ms, unless it has said that it has it: a shell may lose a line. */
const AGAIN = 1_000;
const TIMES = 4;

/** What it asks with; `inside`: code within the client runs it, which knows whether the same is still open. */
const ASKS = ['ask', 'reply', 'inside'] as const;
/** Last words, those of code within clients too. */
const LAST = ['left', ...HANDED_WORDS, ...LAST_WORDS] as const;
/** What such a hook leaves as the name of its event: what it says, and the word by which it knows its own answer. */
const EVENT = new RegExp(
  `^belfry-ask/((?:${ASKS.join('|')})(?:-again)?|${LAST.join('|')})/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`,
);

/** What a hook says. */
export interface FarWord {
  readonly says: string;
  readonly word: string;
}

/** Null: it is an ordinary event. */
export function farWordOf({ event }: Pick<Envelope, 'event'>): FarWord | null {
  const [, says, word] = EVENT.exec(event ?? '') ?? [];
  return says === undefined || word === undefined ? null : { says, word };
}

/** Serves one hook to its end, as one of this machine; `gone` aborts when it has left, with its last word. */
export type ServeFar = (
  args: Readonly<Record<string, unknown>>,
  reply: (reply: Reply) => Promise<void>,
  gone: AbortSignal,
  far: FarHook,
) => Promise<void>;

export interface FarAsksDeps {
  readonly clock: Clock;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** Undefined: there is no such machine any more. */
  readonly link: (remote: string) => Pick<Link, 'answer' | 'running' | 'status'> | undefined;
}

/** One that waits. */
interface Wait {
  readonly remote: string;
  readonly word: string;
  readonly pid: number;
  /** The shell that runs it: once it is gone nobody takes an answer. */
  readonly runner: FarProcess;
  readonly gone: AbortController;
}

/** All of them. A lost link ends none: the hook stays or says that it left, and what happened there meanwhile comes first. */
export class FarAsks {
  readonly #deps: FarAsksDeps;
  readonly #waits = new Map<string, Wait>();
  /** Came late, so that whoever asks is not known: the hook asks again if it still waits. */
  readonly #late = new Set<string>();
  readonly #repeats = new Set<() => void>();
  #cancelLook: (() => void) | null = null;
  #serve: ServeFar | null = null;

  constructor(deps: FarAsksDeps) {
    this.#deps = deps;
  }

  /** Those that ask before are left to their terminals. */
  start(serve: ServeFar): void {
    this.#serve = serve;
  }

  /** For each word of a hook. `isWanted`: that machine's questions may be answered from here. */
  hear(envelope: Envelope, { says, word }: FarWord, isWanted: boolean): void {
    const { remote = '', pid, ancestors = [] } = envelope.origin;
    const key = `${remote} ${word}`;
    const known = this.#waits.get(key);
    const isLast = LAST.some((word) => word === says);
    if (isLast) known?.gone.abort(says);
    if (isLast || known !== undefined) return;
    const [runner] = ancestors;
    const isAgain = says.endsWith('-again');
    const serve = this.#serve;
    if (runner === undefined && !isAgain && isWanted && serve !== null) {
      this.#remember(key);
      this.#repeat({ remote, pid, word }, 'again', () => this.#late.has(key));
      return;
    }
    const others = [...this.#waits.values()].filter((one) => one.remote === remote).length;
    // One that an earlier daemon was asked leaves, as hooks here do: what happened since is not known.
    const isMissed = isAgain && !this.#late.delete(key) && !says.startsWith('inside');
    const isTooLong = envelope.cut !== undefined || envelope.raw.length > ASK_LIMIT;
    if (!isWanted || serve === null || runner === undefined || isMissed || isTooLong || others >= MOST) {
      this.#repeat({ remote, pid, word }, 'leave', () => true);
      return;
    }
    const wait: Wait = { remote, word, pid, runner, gone: new AbortController() };
    this.#waits.set(key, wait);
    void this.#wait(wait, envelope, says.startsWith('reply'), serve).finally(() => {
      this.#waits.delete(key);
      // One that did not say what became of an answer may still wait.
      if (!wait.gone.signal.aborted) this.#repeat(wait, 'leave', () => true);
    });
    this.#look();
  }

  /** A machine is not looked after any more. */
  forget(remote: string): void {
    for (const wait of this.#waits.values()) if (wait.remote === remote) this.#release(wait);
  }

  /** Has every hook leave; whoever serves them ends what they asked. */
  stop(): void {
    this.#serve = null;
    this.#cancelLook?.();
    for (const cancel of this.#repeats) cancel();
    for (const { remote, pid, word } of this.#waits.values()) this.#deps.link(remote)?.answer(pid, word, 'leave');
  }

  #release(wait: Wait): void {
    this.#repeat(wait, 'leave', () => true);
    wait.gone.abort('left');
  }

  /** Says this now, and again while `isDue`. */
  #repeat({ remote, pid, word }: Pick<Wait, 'remote' | 'pid' | 'word'>, what: FarAnswer, isDue: () => boolean): void {
    let left = TIMES;
    const send = (): void => {
      this.#repeats.delete(cancel);
      if (!isDue()) return;
      this.#deps.link(remote)?.answer(pid, word, what);
      if (--left === 0) return;
      cancel = this.#deps.clock.setTimer(AGAIN, send);
      this.#repeats.add(cancel);
    };
    let cancel = (): void => undefined;
    send();
  }

  #remember(key: string): void {
    this.#late.add(key);
    const [oldest] = this.#late;
    if (this.#late.size > MOST && oldest !== undefined) this.#late.delete(oldest);
  }

  async #wait(wait: Wait, { startedAt, agent = '', raw, origin }: Envelope, reply: boolean, serve: ServeFar) {
    const { pid, ppid, env } = origin;
    const text = Buffer.from(raw).toString('utf8');
    const args: AskArgs = { startedAt, agent, reply, raw: text, origin: { pid, ppid, env } };
    const isReachable = (): boolean => this.#deps.link(wait.remote)?.status().state === 'connected';
    try {
      await serve({ ...args }, async (said) => this.#say(wait, said), wait.gone.signal, { origin, isReachable });
    } catch (error) {
      this.#deps.log('a hook of a machine elsewhere could not be served', {
        remote: wait.remote,
        error: String(error),
      });
      this.#release(wait);
    }
  }

  #say(wait: Wait, said: Reply): void {
    const { gone, remote, pid, word } = wait;
    const what = toHook('data' in said ? said.data : null);
    if (what === 'wait') this.#deps.link(remote)?.answer(pid, word, what);
    // Never once whoever answered has heard that nobody took it.
    else this.#repeat(wait, what, () => !gone.signal.aborted && this.#waits.get(`${remote} ${word}`) === wait);
  }

  #look(): void {
    if (this.#cancelLook !== null || this.#waits.size === 0) return;
    this.#cancelLook = this.#deps.clock.setTimer(LOOK, () => {
      void this.#findGone().finally(() => {
        this.#cancelLook = null;
        if (this.#serve !== null) this.#look();
      });
    });
  }

  async #findGone(): Promise<void> {
    for (const remote of new Set([...this.#waits.values()].map((wait) => wait.remote))) {
      const waits = [...this.#waits.values()].filter((wait) => wait.remote === remote);
      const runs = await this.#deps.link(remote)?.running(waits.map(({ runner }) => runner));
      for (const [i, { gone }] of waits.entries()) if (runs?.[i] === false) gone.abort('left');
    }
  }
}

/** From what whoever serves a hook says to it. */
function toHook(said: unknown): FarAnswer {
  // The form is that of our own code.
  const data = said as AskWait | AskOutput | null;
  if (data === null) return 'leave';
  if ('wait' in data) return 'wait';
  if ('stdout' in data) return { print: data.stdout };
  return 'reply' in data ? { print: data.reply } : 'leave';
}
