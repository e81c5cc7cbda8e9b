// A conversation with hooks/setup-far.sh: settings files and programs of a machine elsewhere, while it is set up, checked or cleared.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { sanitizeLine } from '../../src/lib/text/text.ts';
import { EXIT, type ExitCode, UserError } from '../../src/model/errors.ts';
import type { FileAccess, MachineFacts } from '../files/access.ts';
import type { FileState } from '../files/read.ts';
import { ConcurrentEdit } from '../files/replace.ts';
import type { Machine } from '../settings-file.ts';

/** Longest wait for an answer, ms; for the first one: its person may have to type a password. */
const PATIENCE = 30_000;
const SIGN_IN = 120_000;
/** Most of what one answer may be, and of what a login prints before. */
const LARGEST = 64 * 1024 * 1024;
const MOST_NOISE = 64 * 1024;
/** Rounds in which what is asked for depends on what was found. */
const ROUNDS = 5;

/** What the far side says of itself. */
export interface FarFacts {
  readonly home: string;
  readonly host: string;
  readonly user: string;
  /** As uname has it. */
  readonly os: string;
  /** Programs that the relay needs and that are not there. */
  readonly missing: readonly string[];
  /** A Belfry of its own runs there. */
  readonly hasDaemon: boolean;
  /** Files that wait for whoever looks after it. */
  readonly waiting: number;
  /** The same in the folders of other names below the same home. */
  readonly others: readonly { readonly host: string; readonly waiting: number }[];
  /** Ms by which its clock is ahead of this one; the far side tells whole seconds. */
  readonly ahead: number;
  /** Who does: an id, its name, since when (Unix ms); null: nobody. */
  readonly served: { readonly id: string; readonly name: string; readonly since: number } | null;
  readonly env: Readonly<Record<string, string>>;
  /** What the login printed. */
  readonly noise: readonly string[];
}

/** Sum of a file's content as the far side made it, by what was read. */
const sums = new WeakMap<FileState, string>();

export class FarSession {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable | null>;
  readonly #name: string;
  readonly #data: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);
  #errors = '';
  #fault: Error | null = null;

  private constructor(command: readonly string[], name: string) {
    const [program = '', ...args] = command;
    this.#name = name;
    // ssh asks for a password on the terminal itself.
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    this.#child.on('error', (error) => {
      this.#fault = error;
    });
    this.#child.stdin.on('error', () => undefined); // its end says it
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString('utf8')).slice(-8_192);
    });
    this.#data = this.#child.stdout[Symbol.asyncIterator]();
  }

  /**
   * `reach` makes the command that runs a script there, which reads `script` and goes on as it. UserError where it cannot be reached:
   * exit 3 for a refused sign-in, 7 for anything else.
   */
  static async open(
    reach: (bootstrap: string, words: readonly string[]) => readonly string[],
    script: string,
    name: string,
  ): Promise<{ readonly session: FarSession; readonly facts: FarFacts }> {
    const nonce = randomBytes(8).toString('hex');
    const bytes = Buffer.from(script);
    const session = new FarSession(reach(`eval "$(dd bs=1 count=${bytes.length} 2>/dev/null)"`, [nonce]), name);
    try {
      session.#child.stdin.write(bytes);
      const noise: string[] = [];
      for (let seen = 0; ; ) {
        const line = await session.#line(SIGN_IN);
        if (line.endsWith(`belfry-far 1 ${nonce}`)) break;
        seen += line.length;
        if (seen > MOST_NOISE) throw session.#trouble('its login prints without end');
        noise.push(sanitizeLine(line, 200));
      }
      return { session, facts: { ...(await session.look()), noise: noise.filter((line) => line !== '').slice(-5) } };
    } catch (error) {
      session.kill();
      throw error;
    }
  }

  /** Ends it. */
  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('close', resolve));
    if (this.#child.exitCode !== null) return;
    this.#child.stdin.end('bye\n');
    const timer = setTimeout(() => this.kill(), 2_000);
    await ended;
    clearTimeout(timer);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
    this.#child.stdout.destroy();
  }

  /** Its settings files. */
  readonly files: FileAccess = {
    read: (path) => this.#read(path),
    replace: (state, bytes, newMode) => this.#replace(state, bytes, newMode),
    remove: async (state) => this.#done(await this.#ask(`remove ${this.#sum(state)}`, [state.target]), state, 'write'),
    removeFolders: async (made) => {
      const inner = [...made].sort((a, b) => b.length - a.length);
      if (inner.length > 0) await this.#ask(`rmdirs ${inner.length}`, inner);
    },
  };

  /** The machine as the installers know one; what they look for is asked for by {@link settled}. */
  machine({ home, env, os }: FarFacts): Machine {
    return {
      home,
      env,
      platform: os === 'Darwin' ? 'darwin' : 'linux',
      facts: this.#facts,
      run: (program, args, limit) => this.#run(program, args, limit),
    };
  }

  /** What `look` finds: it is called again until everything that it asks of the machine is known. */
  async settled<T>(look: () => T): Promise<T> {
    for (let round = 0; round < ROUNDS; round++) {
      const found = look();
      if (this.#wanted.size === 0) return found;
      await this.#findOut([...this.#wanted]);
    }
    throw this.#trouble('its settings cannot be found');
  }

  /** Lets a hook there report a test with this word. */
  async test(word: string): Promise<void> {
    await this.#ask(`test ${word}`, []);
  }

  /** Takes away everything of ours but the hooks in settings. */
  async clear(): Promise<void> {
    await this.#ask('clear', []);
  }

  // What is where: asked at once, known later.
  readonly #known = new Map<string, string | readonly string[] | null>();
  readonly #wanted = new Set<string>();

  #fact(kind: 'e' | 'x' | 'l' | 't', path: string): string | readonly string[] | null {
    const question = `${kind} ${path}`;
    if (!this.#known.has(question) && !path.includes('\n')) this.#wanted.add(question);
    return this.#known.get(question) ?? null;
  }

  readonly #facts: MachineFacts = {
    exists: (path) => this.#fact('e', path) === '1',
    isExecutable: (path) => this.#fact('x', path) === '1',
    list: (folder) => {
      const names = this.#fact('l', folder);
      return Array.isArray(names) ? names : [];
    },
    text: (path) => {
      const text = this.#fact('t', path);
      return typeof text === 'string' ? text : null;
    },
  };

  async #findOut(questions: readonly string[]): Promise<void> {
    this.#child.stdin.write(`${[`facts ${questions.length}`, ...questions].join('\n')}\n`);
    for (const question of questions) {
      this.#known.set(question, await this.#readFact(question));
      this.#wanted.delete(question);
    }
  }

  async #readFact(question: string): Promise<string | readonly string[] | null> {
    const first = await this.#line(PATIENCE);
    if (question.startsWith('l ')) {
      const names: string[] = [];
      for (let left = this.#count(first, 1_000); left > 0; left--) names.push(await this.#line(PATIENCE));
      return names;
    }
    if (!question.startsWith('t ')) return first;
    return first === 'none' ? null : (await this.#bytes(this.#count(first, LARGEST))).toString('utf8');
  }

  /** What it says of itself now. */
  async look(): Promise<Omit<FarFacts, 'noise'>> {
    this.#child.stdin.write('about\n');
    const said: Record<string, string> = {};
    for (let left = this.#count(await this.#line(PATIENCE), 1_000); left > 0; left--) {
      const line = await this.#line(PATIENCE);
      const at = line.indexOf('=');
      if (at > 0) said[line.slice(0, at)] = line.slice(at + 1);
    }
    const { home = '', host = '', user = '', os = '', missing = '', served = '', by = '', since = '' } = said;
    if (!home.startsWith('/')) throw this.#trouble('its account has no home folder');
    return {
      home,
      host: sanitizeLine(host, 64),
      user: sanitizeLine(user, 64),
      os: sanitizeLine(os, 32),
      missing: missing.split(' ').filter((name) => name !== ''),
      hasDaemon: said['daemon'] === 'yes',
      waiting: Number(said['waiting']) || 0,
      others: (said['others'] ?? '').split(' ').flatMap((other) => {
        const [, name = '', waiting] = /^(\S{1,64}):(\d{1,6})$/.exec(other) ?? [];
        return waiting === undefined ? [] : [{ host: sanitizeLine(name, 64), waiting: Number(waiting) }];
      }),
      ahead: Number(said['now']) * 1_000 - Date.now() || 0,
      served: served === '' ? null : { id: served, name: sanitizeLine(by, 64), since: (Number(since) || 0) * 1_000 },
      env: Object.fromEntries(Object.entries(said).filter(([name]) => /^[A-Z]/.test(name))),
    };
  }

  async #read(path: string): Promise<FileState> {
    const answer = await this.#ask('read', [path]);
    const [kind, mode = '', uid, gid, size, sum] = answer.split(' ');
    const none = { path, bytes: null, mode: null, uid: null, gid: null };
    if (kind === 'none') return this.#remember({ ...none, target: await this.#line(PATIENCE) }, 'none');
    if (kind !== 'file') throw describeFault(mode, path, 'read');
    const target = await this.#line(PATIENCE);
    const bytes = await this.#bytes(this.#count(size, LARGEST));
    const state = { path, target, bytes, mode: Number.parseInt(mode, 8), uid: Number(uid), gid: Number(gid) };
    return this.#remember(state, sum ?? '');
  }

  #remember(state: FileState, sum: string): FileState {
    sums.set(state, sum);
    return state;
  }

  #sum(state: FileState): string {
    const sum = sums.get(state);
    if (sum === undefined) throw new Error('this file was not read here');
    return sum;
  }

  async #replace(state: FileState, bytes: Uint8Array, newMode = 0o600): Promise<string[]> {
    const mode = (state.mode ?? newMode).toString(8);
    const owner = state.uid === null || state.gid === null ? '-' : `${state.uid}:${state.gid}`;
    const request = `write ${mode} ${bytes.length} ${this.#sum(state)} ${owner}`;
    this.#child.stdin.write(`${request}\n${oneLinePath(state.target)}\n`);
    this.#child.stdin.write(bytes);
    const answer = await this.#line(PATIENCE);
    this.#done(answer, state, 'write');
    const made: string[] = [];
    for (let left = this.#count(answer.split(' ')[1], 100); left > 0; left--) made.push(await this.#line(PATIENCE));
    return made;
  }

  #done(answer: string, { path }: FileState, verb: 'read' | 'write'): void {
    if (answer === 'changed') throw new ConcurrentEdit(path);
    if (!answer.startsWith('ok')) throw describeFault(answer.split(' ')[1] ?? '', path, verb);
  }

  async #run(program: string, args: readonly string[], limit: number): Promise<{ stdout: string; timedOut: boolean }> {
    const words = [program, ...args];
    this.#child.stdin.write(
      `${[`run ${Math.ceil(limit / 1_000)} ${words.length}`, ...words.map(oneLinePath)].join('\n')}\n`,
    );
    const size = this.#count(await this.#line(limit + PATIENCE), LARGEST);
    const text = (await this.#bytes(size)).toString('utf8');
    const end = text.lastIndexOf('\n');
    return { stdout: text.slice(0, end), timedOut: text.slice(end + 1) === '137' };
  }

  async #ask(request: string, paths: readonly string[]): Promise<string> {
    this.#child.stdin.write(`${[request, ...paths.map(oneLinePath)].join('\n')}\n`);
    return this.#line(PATIENCE);
  }

  #count(text: string | undefined, most: number): number {
    const value = /^\d{1,12}$/.test(text ?? '') ? Number(text) : Number.NaN;
    if (value <= most) return value;
    throw this.#trouble('it answers something else than was asked');
  }

  async #line(patience: number): Promise<string> {
    for (;;) {
      const end = this.#held.indexOf(10);
      if (end >= 0) {
        const line = this.#held.toString('utf8', 0, end);
        this.#held = this.#held.subarray(end + 1);
        return line;
      }
      if (this.#held.length > MOST_NOISE) throw this.#trouble('it prints a line without end');
      await this.#more(patience);
    }
  }

  async #bytes(length: number): Promise<Buffer> {
    while (this.#held.length < length) await this.#more(PATIENCE);
    const bytes = Buffer.from(this.#held.subarray(0, length));
    this.#held = this.#held.subarray(length);
    return bytes;
  }

  async #more(patience: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), patience);
    });
    const next = await Promise.race([this.#data.next(), late]).finally(() => clearTimeout(timer));
    if (next === 'late') {
      this.kill();
      throw this.#trouble('it does not answer');
    }
    if (!next.done) {
      this.#held = Buffer.concat([this.#held, next.value]);
      return;
    }
    await new Promise((resolve) => setImmediate(resolve)); // what it said on stderr has come by then
    throw this.#trouble('the connection ended');
  }

  #trouble(what: string): UserError {
    const said = this.#errors
      .split(/[\r\n]+/)
      .map((line) => sanitizeLine(line, 200))
      .filter((line) => line !== '');
    const [line, exit] = explained(said, this.#fault, what);
    return new UserError(`${this.#name}: ${line}`, exit);
  }
}

/** Words for what ended it, and the exit code. */
function explained(said: readonly string[], fault: Error | null, what: string): [string, ExitCode] {
  const code = (fault as NodeJS.ErrnoException | null)?.code;
  if (code !== undefined) return [`the program that reaches it cannot be started (${code})`, EXIT.unreachable];
  const refused = said.find((line) => /Permission denied|Too many authentication failures/i.test(line));
  if (refused !== undefined) return [`the sign-in was refused (${refused})`, EXIT.auth];
  const key = said.find((line) => /HOST IDENTIFICATION HAS CHANGED|Host key verification failed/i.test(line));
  if (key !== undefined) return [`${key}; nothing was sent`, EXIT.auth];
  const last = said.at(-1);
  return [last === undefined ? what : `${what} (${last})`, EXIT.unreachable];
}

const FAULTS: Readonly<Record<string, string>> = {
  'not-a-file': 'it is not a file: move it away there, then try again',
  permission: 'permission denied there',
  space: 'no space is left there',
  write: 'it cannot be written there: is its folder yours, and is there space?',
};

function describeFault(word: string, path: string, verb: 'read' | 'write'): UserError {
  return new UserError(`cannot ${verb} ${path} there: ${FAULTS[word] ?? 'unknown trouble'} (nothing was changed)`);
}

/** A path that the far side can read as a line. */
function oneLinePath(path: string): string {
  if (!path.includes('\n')) return path;
  throw new UserError(`${basename(path)} has a line end in its path: it cannot be edited from here`);
}
