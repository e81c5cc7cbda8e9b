// One connection to a relay: the process that reaches it, what it says, and what is said to it, until it ends for one reason or another.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../lib/clock.ts';
import type { TmuxPlace } from '../../lib/programs/tmux.ts';
import { sanitizeLine } from '../../lib/text/text.ts';
import type { FarFile } from '../../model/far-file.ts';
import type { EndReason } from '../../model/remote-status.ts';
import {
  type FarAnswer,
  type FarProcess,
  type FarTmux,
  type FromRelay,
  ProtocolError,
  readFarFile,
  readFarTmux,
  readRelay,
  type RelayedFile,
  toRelay,
} from './protocol.ts';

/** Longest time until the relay's first line, ms: a host may be slow to sign in to. */
const FIRST_LINE = 30_000;
/** Ms between two beats; with so many in a row and no answer the connection is dead. */
const PING = 15_000;
const UNANSWERED = 2;
/** Longest wait for what was asked of a relay, ms. */
const PATIENCE = 5_000;
/** The same beside two round trips, for what a notification waits for. */
const TMUX_PATIENCE = 500;
/** Ms for which nothing of a kind is looked at any more after a look that nobody answered: an older relay knows none. */
const DEAF = 60_000;
/** Looks that may be under way there at once: each is a few programs. */
const MOST_LOOKS = 8;
/** Ms that what was said last has to get there when a connection is closed. */
const LAST_WORDS = 1_000;
/** Bytes that are read on before they are journaled. */
const UNREAD = 16 * 1024 * 1024;
/** Bytes that may wait for the other side to read them: some answers of the longest kind. */
const UNWRITTEN = 4 * 1024 * 1024;
/** Lines of noise and of errors that are kept. */
const LINES = 20;

/** What a connection needs, and whom it calls. */
export interface ConnectionDeps {
  readonly command: readonly string[];
  readonly nonce: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly connected: (hello: Hello) => void;
  /** Resolves whether it is journaled. */
  readonly file: (file: RelayedFile, hello: Hello) => Promise<boolean>;
  readonly overflow: () => void;
  readonly trouble: (what: 'folder' | 'space') => void;
}

export type Hello = Extract<FromRelay, { type: 'hello' }>;

export interface ConnectionEnd {
  readonly reason: EndReason;
  /** One line, for people. */
  readonly detail: string;
  /** What the login printed. */
  readonly noise: readonly string[];
}

/** One connection; it begins when it is made. */
export class Connection {
  readonly #o: ConnectionDeps;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #noise: string[] = [];
  readonly #errors: string[] = [];
  readonly #asked = new Map<number, (runs: readonly boolean[] | null) => void>();
  /** Looks that wait for their turn. */
  readonly #held: (() => void)[] = [];
  /** Unix ms, by what is looked at. */
  readonly #deafUntil: { file?: number; tmux?: number } = {};
  /** Under way there. */
  readonly #looks = new Map<number, (found: Buffer | null) => void>();
  readonly ended: Promise<ConnectionEnd>;
  #end: Omit<ConnectionEnd, 'noise'> | null = null;
  #hello: Hello | null = null;
  #pings = 0;
  #unanswered = 0;
  #journaled = '0';
  #cancelTimer: () => void;

  constructor(options: ConnectionDeps) {
    this.#o = options;
    const [program = '', ...args] = options.command;
    this.#child = spawn(program, args, {
      env: { ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      detached: process.platform !== 'win32', // its own group: ssh may have begun a proxy
    });
    this.#cancelTimer = options.clock.setTimer(FIRST_LINE, () =>
      this.#finish('network', 'there was no answer within 30 s'),
    );
    this.ended = this.#run();
  }

  /** Milliseconds of the latest round trip; null: not known yet. */
  roundTrip: number | null = null;

  /** Ends it; resolves with `ended`. */
  close(): void {
    this.#send(toRelay.bye);
    this.#finish('closed', 'disconnected');
  }

  /** Which of these run there; null: nobody says. */
  async running(processes: readonly FarProcess[]): Promise<readonly boolean[] | null> {
    if (this.#hello === null || this.#end !== null) return null;
    return this.#ping(processes, PATIENCE);
  }

  /** The last `most` bytes of a file there; null: there is none that may be read, or nobody says in time. */
  async look(path: string, most: number): Promise<FarFile | null> {
    const found = await this.#seen('file', (number) => toRelay.look(number, path, most), PATIENCE);
    return found && readFarFile(found);
  }

  /** What a tmux server there says of a pane; null: there is none, or nobody says in time. */
  async tmux(place: TmuxPlace): Promise<FarTmux | null> {
    const patience = TMUX_PATIENCE + 2 * (this.roundTrip ?? 0);
    const found = await this.#seen('tmux', (number) => toRelay.tmux(number, place), patience);
    return found && readFarTmux(found);
  }

  async #seen(kind: 'file' | 'tmux', line: (number: number) => string, patience: number): Promise<Buffer | null> {
    const { clock } = this.#o;
    if (this.#hello === null || this.#end !== null || clock.now() < (this.#deafUntil[kind] ?? 0)) return null;
    const number = ++this.#pings;
    return new Promise((resolve) => {
      const cancel = clock.setTimer(patience, () => {
        if (this.#looks.has(number)) this.#deafUntil[kind] = clock.now() + DEAF;
        answer(null);
      });
      const answer = (found: Buffer | null): void => {
        cancel();
        isOver = true;
        this.#looks.delete(number);
        this.#lookOn();
        resolve(found);
      };
      let isOver = false;
      this.#held.push(() => {
        if (isOver) return;
        this.#looks.set(number, answer);
        this.#send(line(number));
      });
      this.#lookOn();
    });
  }

  #lookOn(): void {
    while (this.#looks.size < MOST_LOOKS && this.#held.length > 0) this.#held.shift()?.();
  }

  /** Says whether hooks after each tool are wanted. */
  open(isOpen: boolean): void {
    this.#send(toRelay.open(isOpen));
  }

  /** Says to a hook there what it is to do. */
  answer(pid: number, word: string, what: FarAnswer): void {
    this.#send(toRelay.answer(pid, word, what));
  }

  async #run(): Promise<ConnectionEnd> {
    const child = this.#child;
    child.stdin.on('error', () => undefined); // its end says it
    child.on('error', (error) =>
      this.#finish(
        'no-program',
        `${this.#o.command[0]} cannot be started: ${(error as NodeJS.ErrnoException).code ?? error.message}`,
      ),
    );
    collectLines(child.stderr, this.#errors);
    const exited = new Promise<number | null>((resolve) => {
      child.on('close', resolve);
      child.on('error', () => resolve(null));
    });
    try {
      for await (const said of readRelay(child.stdout, this.#o.nonce, (line) => keepLine(this.#noise, line)))
        if (this.#end !== null || !(await this.#heard(said))) break;
    } catch (error) {
      if (this.#end === null && !(error instanceof ProtocolError)) this.#finish('network', (error as Error).message);
      else this.#finish('protocol', (error as Error).message);
    }
    child.stdin.end();
    // The last words, which let hooks there leave, are still on their way: the relay ends by them.
    const isClosed = (this.#end as ConnectionEnd | null)?.reason === 'closed';
    const cancels = [
      this.#o.clock.setTimer(isClosed ? LAST_WORDS : 0, () => this.#end !== null && this.#kill('SIGTERM')),
      this.#o.clock.setTimer(LAST_WORDS + 1_000, () => this.#kill('SIGKILL')),
    ];
    const code = await exited;
    for (const cancel of cancels) cancel();
    this.#cancelTimer();
    for (const answer of this.#asked.values()) answer(null);
    this.#held.length = 0;
    for (const answer of [...this.#looks.values()]) answer(null);
    const { reason, detail } = this.#end ?? endOf(this.#errors, code, this.#hello !== null);
    return { reason, detail, noise: this.#noise };
  }

  readonly #open: Promise<boolean>[] = [];
  #bytes = 0;

  /** Whether to read on. */
  async #heard(said: FromRelay): Promise<boolean> {
    if (said.type === 'hello') {
      this.#hello = said;
      this.#cancelTimer();
      this.#o.connected(said);
      void this.#ping([], PATIENCE);
      this.#beat();
    } else if (said.type === 'refused') {
      const since = new Date(said.since).toISOString();
      return this.#finish('refused', `it is looked after from ${said.by} since ${since.slice(0, 16)}Z`);
    } else if (said.type === 'trouble') {
      if (this.#hello === null) return this.#finish('folder', 'its folder below ~/.local/state cannot be written');
      this.#o.trouble(said.what);
    } else if (said.type === 'overflow') this.#o.overflow();
    else if (said.type === 'pong') {
      this.#unanswered = 0;
      this.#asked.get(said.number)?.(said.runs);
    } else if (said.type === 'seen') {
      this.#looks.get(said.number)?.(said.bytes);
    } else return this.#taken(said);
    return true;
  }

  async #taken(said: Extract<FromRelay, { type: 'file' | 'end' }>): Promise<boolean> {
    if (said.type === 'file' && this.#hello !== null) {
      this.#open.push(this.#o.file(said.file, this.#hello).catch(() => false));
      this.#bytes += said.file.bytes.length;
      if (this.#bytes < UNREAD) return true;
    }
    const kept = await Promise.all(this.#open);
    this.#bytes = 0;
    if (kept.includes(false)) return this.#finish('journal', 'the journal here cannot be written');
    this.#open.length = 0;
    if (said.type === 'end') {
      this.#journaled = said.seq;
      this.#send(toRelay.ok(said.seq));
    }
    return true;
  }

  #beat(): void {
    this.#cancelTimer = this.#o.clock.setTimer(PING, () => {
      if (this.#end !== null) return;
      if (this.#unanswered >= UNANSWERED) {
        this.#finish('network', 'it does not answer any more');
        return;
      }
      this.#unanswered++;
      void this.#ping([], PING);
      this.#beat();
    });
  }

  #ping(processes: readonly FarProcess[], patience: number): Promise<readonly boolean[] | null> {
    const number = ++this.#pings;
    const from = this.#o.clock.now();
    return new Promise((resolve) => {
      const cancel = this.#o.clock.setTimer(patience, () => answer(null));
      const answer = (runs: readonly boolean[] | null): void => {
        cancel();
        this.#asked.delete(number);
        if (runs !== null) this.roundTrip = this.#o.clock.now() - from;
        resolve(runs?.length === processes.length ? runs : null);
      };
      this.#asked.set(number, answer);
      this.#send(toRelay.ping(number, this.#journaled, processes));
    });
  }

  #send(line: string): void {
    if (this.#end !== null || !this.#child.stdin.writable) return;
    if (this.#child.stdin.writableLength > UNWRITTEN) this.#finish('network', 'it does not read what it is sent');
    else this.#child.stdin.write(line);
  }

  /** The first reason counts. Ends the reading; always false. */
  #finish(reason: EndReason, detail: string): false {
    this.#end ??= { reason, detail };
    this.#child.stdout.destroy();
    return false;
  }

  #kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined || this.#child.exitCode !== null) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, signal);
    } catch {
      // it has just ended
    }
  }
}

function keepLine(lines: string[], line: string): void {
  const plain = sanitizeLine(line, 300);
  if (plain === '') return;
  lines.push(plain);
  if (lines.length > LINES) lines.shift();
}

function collectLines(stream: Readable, lines: string[]): void {
  let rest = '';
  stream.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString('utf8')).split(/[\r\n]+/);
    rest = (parts.pop() ?? '').slice(0, 1_000);
    for (const part of parts) keepLine(lines, part);
  });
  stream.on('end', () => keepLine(lines, rest));
  stream.on('error', () => undefined); // what it could not say is not known
}

/** Ends of ssh and of shells, by what they print. */
const SIGNS: readonly (readonly [EndReason, RegExp])[] = [
  ['host-key', /REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed|No .{1,40} host key is known/i],
  [
    'sign-in',
    /Permission denied|Too many authentication failures|Authentication failed|No supported authentication methods/i,
  ],
  [
    'no-relay',
    /relay\.sh.{0,40}(?:No such file|not found|can't open|cannot open|can't read)|(?:can't open|cannot open).{0,60}relay\.sh/i,
  ],
];

/** Why it ended by itself. */
function endOf(errors: readonly string[], code: number | null, wasConnected: boolean): Omit<ConnectionEnd, 'noise'> {
  const last = errors.at(-1) ?? '';
  for (const [reason, sign] of SIGNS) {
    const line = errors.findLast((one) => sign.test(one));
    if (line !== undefined && !wasConnected) return { reason, detail: line };
  }
  return {
    reason: 'network',
    detail: last || (code === null || wasConnected ? 'the connection ended' : `it ended with status ${code}`),
  };
}
