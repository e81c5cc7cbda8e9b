// What the shell hook leaves in the spool: `PID.open`, written in place; where an earlier process with that pid left one, `PID.1.open`
// to `PID.9.open`. A header line, the input, and an end mark as the last line; without the mark the file is still being written or
// its writer was killed.
import { INPUT_LIMIT } from './envelope.ts';

/** Ending of such a file's name. */
const ENDING = '.open';

/** First line of such a file; hooks/fast.sh prints it. */
export interface PartialHeader {
  readonly agent?: string;
  readonly event?: string;
  readonly ppid: number;
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A file of the shell hook as far as it is written. */
export interface PartialFile {
  readonly header: PartialHeader;
  readonly raw: Uint8Array;
  readonly complete: boolean;
  readonly cut?: 'size';
}

/** Pid of the shell that writes or wrote the file; null for another name. */
export function writerOfPartial(name: string): number | null {
  const found = /^([1-9]\d{0,9})(?:\.[1-9])?\.open$/.exec(name);
  return found ? Number(found[1]) : null;
}

/** Name of the file that the shell with this pid writes. */
export function partialName(pid: number): string {
  return `${pid}${ENDING}`;
}

/** The last line of a whole file. */
export function endMark(pid: number): string {
  return `\n#end ${pid}\n`;
}

/** Reads such a file; a string says what is wrong with it. */
export function decodePartial(bytes: Uint8Array, pid: number): PartialFile | string {
  const end = bytes.indexOf(10);
  if (end < 0) return 'no header line';
  const header = decodePartialHeader(Buffer.from(bytes.subarray(0, end)).toString('utf8'));
  if (typeof header === 'string') return header;
  const mark = Buffer.from(endMark(pid));
  const complete = Buffer.from(bytes.subarray(Math.max(end + 1, bytes.length - mark.length))).equals(mark);
  const raw = bytes.subarray(end + 1, complete ? bytes.length - mark.length : bytes.length);
  return raw.length > INPUT_LIMIT
    ? { header, raw: raw.subarray(0, INPUT_LIMIT), complete, cut: 'size' }
    : { header, raw, complete };
}

function decodePartialHeader(line: string): PartialHeader | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'header is not JSON';
  }
  const h = value as { [key in keyof PartialHeader | 'v']?: unknown } | null;
  if (h?.v !== 1) return 'header has an unknown version';
  const env = Object.entries((h.env ?? {}) as Record<string, unknown>).filter(([, text]) => text !== '');
  return {
    ppid: Number(h.ppid) || 0,
    env: Object.fromEntries(env.map(([name, text]) => [name, String(text)])),
    ...(typeof h.agent === 'string' && h.agent && { agent: h.agent }),
    ...(typeof h.event === 'string' && h.event && { event: h.event }),
    ...(typeof h.cwd === 'string' && h.cwd && { cwd: h.cwd }),
  };
}
