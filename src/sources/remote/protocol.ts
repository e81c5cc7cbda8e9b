// What hooks/relay.sh says on its stdout, and the lines that it reads. Whatever is not as it should be ends the connection: the relay
// hands the same batches over to the next one.
import { writerOfPartial } from '../../ipc/shell-spool-file.ts';
import { INPUT_LIMIT } from '../../ipc/envelope.ts';
import type { FarFile } from '../../model/far-file.ts';
import { INTERPRETER, lastNamedPart, MOST_NAMED, terminalPath, type Ancestor } from '../../runtime/process-table.ts';

/** Longest line of a relay, and what may come before its first one: what the login prints. */
const LONGEST_LINE = 4_096;
export const MOST_NOISE = 64 * 1024;
/** Files of a batch, at most. */
const MOST_FILES = 64;
/** An input, its header and its end mark. */
const LARGEST_FILE = INPUT_LIMIT + 1024 * 1024;

/** Bytes of the end of a file there that are looked at, at most. */
export const LONGEST_LOOK = 64 * 1024;

/** One file of the far spool, as it was handed over. Times are Unix ms by the clock there. */
export interface RelayedFile {
  /** `SEQ/NAME`: the same whenever it is handed over. */
  readonly id: string;
  /** Pid of the shell that wrote it. */
  readonly writer: number;
  readonly modified: number;
  /** When the batch was made there; a file that is handed over again has a later one. */
  readonly handedOver: number;
  readonly ancestors: readonly Ancestor[];
  readonly tty: string | null;
  readonly bytes: Buffer;
}

/** What a tmux server there says, and `ps` of what it runs outside its panes. `now`: Unix ms by the clock there. */
export interface FarTmux {
  readonly now: number;
  readonly said: string;
  readonly ttys: string;
}

/** What a relay says. */
export type FromRelay =
  | {
      readonly type: 'hello';
      /** Made with the folder there. */
      readonly box: string;
      readonly host: string;
      readonly user: string;
      readonly shell: string;
      /** `linux`, or another. */
      readonly os: string;
    }
  /** The account is looked after by another. `since`: Unix ms. */
  | { readonly type: 'refused'; readonly by: string; readonly since: number }
  /** folder: the far side's own cannot be made or used; space: it cannot be written. */
  | { readonly type: 'trouble'; readonly what: 'folder' | 'space' }
  /** Hooks kept nothing any more, as too many files waited. */
  | { readonly type: 'overflow' }
  | { readonly type: 'pong'; readonly number: number; readonly runs: readonly boolean[] }
  /** What a look has found; empty: nothing. */
  | { readonly type: 'seen'; readonly number: number; readonly bytes: Buffer }
  | { readonly type: 'file'; readonly file: RelayedFile }
  /** All files of the batch have come. */
  | { readonly type: 'end'; readonly seq: string };

/** A relay's output is not what a relay says. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** Reads lines and counted bytes from a stream, no more of it than it is asked for. */
class ByteReader {
  readonly #from: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#from = stream[Symbol.asyncIterator]();
  }

  async #more(): Promise<boolean> {
    const next = await this.#from.next();
    if (next.done) return false;
    this.#held = this.#held.length === 0 ? next.value : Buffer.concat([this.#held, next.value]);
    return true;
  }

  /** The next line without its end; null: the stream ended before one. */
  async line(limit: number): Promise<string | null> {
    let seen = 0;
    for (;;) {
      const end = this.#held.indexOf(10, seen);
      if (end > limit || (end < 0 && this.#held.length > limit)) throw new ProtocolError('a line is too long');
      if (end >= 0) {
        const line = this.#held.toString('utf8', 0, end);
        this.#held = this.#held.subarray(end + 1);
        return line;
      }
      seen = this.#held.length;
      if (!(await this.#more())) return null;
    }
  }

  /** Exactly so many bytes; null: the stream ended before. */
  async bytes(length: number): Promise<Buffer | null> {
    const parts = [this.#held.subarray(0, length)];
    let got = parts[0]?.length ?? 0;
    this.#held = this.#held.subarray(got);
    while (got < length) {
      if (!(await this.#more())) return null;
      const part = this.#held.subarray(0, length - got);
      this.#held = this.#held.subarray(part.length);
      parts.push(part);
      got += part.length;
    }
    return Buffer.concat(parts);
  }
}

const WORD = /^[A-Za-z0-9_./%@:+-]{1,128}$/;
const word = (text: string | undefined): string => {
  if (text !== undefined && WORD.test(text)) return text;
  throw new ProtocolError('a word has other characters than a word may have');
};
const count = (text: string | undefined, most: number): number => {
  const value = /^\d{1,15}$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (value <= most) return value;
  throw new ProtocolError('a number is none, or too large');
};

/**
 * Everything that the relay says, in order. `noise`: called with what comes before its first line. A stream that ends ends it;
 * ProtocolError for one that is not a relay's.
 */
export async function* readRelay(
  stream: AsyncIterable<Buffer>,
  nonce: string,
  noise: (line: string) => void,
): AsyncGenerator<FromRelay> {
  const reader = new ByteReader(stream);
  const first = await firstLine(reader, nonce, noise);
  if (first === null) return;
  yield first;
  if (first.type !== 'hello') return;
  for (;;) {
    const line = await reader.line(LONGEST_LINE);
    if (line === null) return;
    const [said, ...words] = line.split(' ');
    if (said === 'batch') {
      if (!(yield* readBatch(reader, words))) return;
    } else if (said === 'seen') {
      const seen = await readSeen(reader, words);
      if (seen === null) return;
      yield seen;
    } else yield simpleLine(said, words);
  }
}

async function firstLine(reader: ByteReader, nonce: string, noise: (line: string) => void): Promise<FromRelay | null> {
  const begins = `belfry-relay 1 ${nonce} `;
  for (let read = 0; read < MOST_NOISE; ) {
    const line = await reader.line(MOST_NOISE);
    if (line === null) return null;
    // A prompt or a message without an end of line may stand before it.
    const at = line.indexOf(begins);
    if (at < 0) {
      read += line.length + 1;
      noise(line);
      continue;
    }
    if (at > 0) noise(line.slice(0, at));
    const words = line.slice(at + begins.length).split(' ');
    if (words[0] === 'trouble') return { type: 'trouble', what: words[1] === 'space' ? 'space' : 'folder' };
    if (words[0] === 'refused') return { type: 'refused', by: word(words[1]), since: count(words[2], 1e12) * 1_000 };
    const [box, host, user, shell, os = 'other'] = words;
    return { type: 'hello', box: word(box), host: word(host), user: word(user), shell: word(shell), os: os || 'other' };
  }
  throw new ProtocolError('the login prints too much');
}

function simpleLine(said: string | undefined, words: readonly string[]): FromRelay {
  if (said === 'pong')
    return { type: 'pong', number: count(words[0], 1e15), runs: words.slice(1).map((one) => one === '1') };
  if (said === 'trouble') return { type: 'trouble', what: words[0] === 'folder' ? 'folder' : 'space' };
  if (said === 'overflow') return { type: 'overflow' };
  throw new ProtocolError('a line begins with no word of a relay');
}

/** Null: it did not come whole. */
async function readSeen(reader: ByteReader, [number, length]: readonly string[]): Promise<FromRelay | null> {
  const asked = count(number, 1e15);
  const bytes = await reader.bytes(count(length, LONGEST_LOOK + LONGEST_LINE));
  return bytes === null ? null : { type: 'seen', number: asked, bytes };
}

/** What a look at a file has found; null: there is none that may be read. */
export function readFarFile(bytes: Buffer): FarFile | null {
  const [, size, modified, now] =
    /^(\d{1,15}) (\d{1,12}) (\d{1,12})\n/.exec(bytes.toString('latin1', 0, LONGEST_LINE)) ?? [];
  if (size === undefined) return null;
  const seconds = (text: string | undefined): number => Number(text) * 1_000;
  const end = bytes.subarray(bytes.indexOf(10) + 1);
  return { size: Number(size), modified: seconds(modified), now: seconds(now), end };
}

/** What a look at a pane of tmux has found; null: there is none. */
export function readFarTmux(bytes: Buffer): FarTmux | null {
  const [, now, said = '', ttys = ''] = /^(\d{1,12})\n([\s\S]*?)\n==\n([\s\S]*)$/.exec(bytes.toString('utf8')) ?? [];
  return now === undefined ? null : { now: Number(now) * 1_000, said, ttys };
}

/** Whether it came whole. */
async function* readBatch(
  reader: ByteReader,
  [given, files, now]: readonly string[],
): AsyncGenerator<FromRelay, boolean> {
  const seq = word(given);
  if (!/^\d{14}$/.test(seq)) throw new ProtocolError('a batch has no number');
  const handedOver = count(now, 1e12) * 1_000;
  const announced: (Omit<RelayedFile, 'bytes'> & { readonly size: number })[] = [];
  for (let left = count(files, MOST_FILES); left > 0; left--) {
    const line = await reader.line(LONGEST_LINE);
    if (line === null) return false;
    announced.push({ ...readFileLine(line, seq), handedOver });
  }
  for (const { size, ...facts } of announced) {
    const bytes = await reader.bytes(size);
    if (bytes === null) return false;
    yield { type: 'file', file: { ...facts, bytes } };
  }
  yield { type: 'end', seq };
  return true;
}

function readFileLine(
  line: string,
  seq: string,
): Omit<RelayedFile, 'bytes' | 'handedOver'> & { readonly size: number } {
  const [said, name = '', size, modified = '', ...processes] = line.split(' ');
  const writer = writerOfPartial(name);
  if (said !== 'file' || writer === null) throw new ProtocolError('a batch names no file');
  const seconds = Number(/^\d{1,12}(?:\.\d{1,9})?$/.test(modified) ? modified : Number.NaN);
  if (Number.isNaN(seconds)) throw new ProtocolError('a file has no time');
  const found = processes.slice(0, MOST_NAMED).flatMap(readProcess);
  const device = found.find(({ tty }) => tty > 0)?.tty ?? 0;
  return {
    id: `${seq}/${name}`,
    writer,
    size: count(size, LARGEST_FILE),
    modified: Math.round(seconds * 1_000),
    ancestors: found.map(({ pid, start, name: known }) => ({ pid, start, name: known })),
    tty: device > 0 ? terminalPath(device) : null,
  };
}

/** `PID/START/TTY/COMM/PROGRAM`; the last where COMM is an interpreter's. */
function readProcess(text: string): (Ancestor & { readonly tty: number })[] {
  const [pid = '', start = '', tty = '', comm = '', ...program] = text.split('/');
  if (![pid, start, tty].every((number) => /^\d{1,20}$/.test(number)) || !/^[A-Za-z0-9._-]{0,64}$/.test(comm))
    return [];
  const script = INTERPRETER.test(comm) || comm === '' ? lastNamedPart(program)?.slice(0, 64) : undefined;
  return [{ pid: Number(pid), start, tty: Number(tty), name: script ?? comm }];
}

/** A process there that is asked after. */
export interface FarProcess {
  readonly pid: number;
  readonly start: string;
}

/** What a waiting hook there is to do; `wait`: somebody may answer it; `again`: ask once more. */
export type FarAnswer = 'wait' | 'leave' | 'again' | { readonly print: string };

const SIGN_OF = { wait: '=', leave: '-', again: '?' };

/** Lines for a relay. */
export const toRelay = {
  /** Everything up to this batch is journaled. */
  ok: (seq: string): string => `ok ${seq}\n`,
  /** Says again what is journaled, and asks whether these run. */
  ping: (number: number, seq: string, processes: readonly FarProcess[]): string =>
    `${['ping', number, seq, ...processes.map(({ pid, start }) => `${pid}/${start}`)].join(' ')}\n`,
  /** Hooks after each tool are wanted, or not any more. */
  open: (isOpen: boolean): string => `open ${isOpen ? 1 : 0}\n`,
  /** To the hook with this pid, which knows what is for it by this word. */
  answer: (pid: number, word: string, what: FarAnswer): string => {
    const said = typeof what === 'string' ? SIGN_OF[what] : `+${forPrintf(what.print)}`;
    return `answer ${pid} ${word} ${said.length} ${said}\n`;
  },
  /** Looks at a file: its last `most` bytes. */
  look: (number: number, path: string, most: number): string =>
    `look ${number} file ${Math.min(most, LONGEST_LOOK)} ${forPrintf(path)}\n`,
  /** Asks a tmux server who looks at a pane. */
  tmux: (number: number, { socket, pane }: { readonly socket: string; readonly pane: string }): string =>
    `look ${number} tmux ${/^%\d{1,9}$/.test(pane) ? pane : '%'} ${forPrintf(socket)}\n`,
  bye: 'bye\n',
};

/** As `printf %b` of a shell takes it, in one word: all but plain letters by their octal numbers. */
const forPrintf = (text: string): string =>
  Buffer.from(text)
    .toString('latin1')
    .replace(/[^!-[\]-~]/g, (byte) => `\\0${byte.charCodeAt(0).toString(8).padStart(3, '0')}`);
