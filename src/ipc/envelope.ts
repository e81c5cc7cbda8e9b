// The envelope around one hook input: bytes and their origin, not their meaning.

/** Hints about where a hook ran, gathered cheaply. Nothing of the environment beyond an explicit list. */
export interface Origin {
  /** Process id of the hook itself. */
  readonly pid: number;
  /** Process id of what started it (a shell or the client). */
  readonly ppid: number;
  /** From the hook's parent upwards; `start` is the kernel's start time of that process, to recognize a reused pid. */
  readonly ancestors?: readonly { readonly pid: number; readonly start: string; readonly name: string }[];
  /** The daemon itself found these ancestors running. Those that a hook names may be of a container or another machine. */
  readonly seen?: true;
  /** Path of the terminal that the hook's ancestors are on, as the daemon found it. */
  readonly tty?: string;
  /** Folder the hook ran in. */
  readonly cwd?: string;
  /** Selected variables: TERM_PROGRAM, TMUX_PANE, SSH_CONNECTION and the like. */
  readonly env: Readonly<Record<string, string>>;
  /** Host name, to know whether a pid can be checked from here. */
  readonly host?: string;
  /** Name of the machine elsewhere whose relay handed it over; only that source sets it. Pids, terminals and paths are that machine's. */
  readonly remote?: string;
  /** Who ran the agent, where that is another user than the daemon's. */
  readonly user?: string;
}

/** One hook input as submitted. */
export interface Envelope {
  /** Made by the hook, the same on every submission; becomes the event's id. */
  readonly id: string;
  /** `--agent`, when given. */
  readonly agent?: string;
  /** `--event`, when given. */
  readonly event?: string;
  /** Unix ms when the hook began to read. Orders the events of a session. */
  readonly startedAt: number;
  /** Unix ms when stdin had ended or its bound was reached. */
  readonly receivedAt: number;
  /** Why `raw` is not the whole input: a bound of size or time. */
  readonly cut?: 'size' | 'time';
  readonly origin: Origin;
  /** The bytes as the client gave them. */
  readonly raw: Uint8Array;
}

/** An envelope without its bytes: the first line of a spool file and of a submission over the socket. */
export interface EnvelopeHeader extends Omit<Envelope, 'raw'> {
  readonly v: 1;
  /** Number of raw bytes that follow the line feed. */
  readonly length: number;
}

/** Most bytes of hook input that are kept: 16 MiB. */
export const INPUT_LIMIT = 16 * 1024 * 1024;

/** `{header}\n{raw}`: the form of a spool file and of an `event` on the socket. */
export function encodeEnvelope(envelope: Envelope): Buffer {
  const { raw, ...rest } = envelope;
  const header: EnvelopeHeader = { v: 1, ...rest, length: raw.byteLength };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), raw]);
}

/** Reads the form of {@link encodeEnvelope}; a string says what is wrong with it. */
export function decodeEnvelope(bytes: Uint8Array): Envelope | string {
  const end = bytes.indexOf(10);
  if (end < 0) return 'no header line';
  const header = decodeHeader(Buffer.from(bytes.subarray(0, end)).toString('utf8'));
  if (typeof header === 'string') return header;
  const raw = bytes.subarray(end + 1);
  if (raw.byteLength !== header.length) return `body has ${raw.byteLength} bytes, the header says ${header.length}`;
  const { v: _v, length: _length, ...rest } = header;
  return { ...rest, raw };
}

/** Reads a header line; a string says what is wrong with it. */
export function decodeHeader(line: string): EnvelopeHeader | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'header is not JSON';
  }
  if (typeof value !== 'object' || value === null) return 'header is not an object';
  const h = value as Record<string, unknown>;
  if (h['v'] !== 1) return `header has version ${String(h['v'])}`;
  if (typeof h['id'] !== 'string' || !/^[A-Za-z0-9_-]{8,64}$/.test(h['id'])) return 'header has no usable id';
  if (typeof h['startedAt'] !== 'number' || typeof h['receivedAt'] !== 'number') return 'header has no times';
  if (typeof h['length'] !== 'number' || h['length'] < 0) return 'header has no length';
  if (typeof h['origin'] !== 'object' || h['origin'] === null) return 'header has no origin';
  return value as EnvelopeHeader;
}
