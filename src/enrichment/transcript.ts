// The end of a transcript that the client names: the last request and the last message, from the last bytes of the file.
import { isAbsolute, relative } from 'node:path';
import type { Files } from '../files/index.ts';
import { farPlace } from '../model/far-file.ts';
import type { ContextMessage } from '../model/notification/notification.ts';
import { toMessage } from './message-text.ts';
import { isObject, parseJson } from '../lib/json/json.ts';

/** Bytes read from the end: a file of any size costs no more. */
const TAIL = 256 * 1024;

/** What reading one needs; `home`: the user's home folder. */
export interface TranscriptDeps {
  readonly files: Files;
  readonly home: string;
}

/** Whether a file that lies elsewhere is one that its client keeps there, and the user's own. */
async function isMoved(file: string, shape: RegExp, files: Files): Promise<boolean> {
  if (!shape.test(file.replaceAll('\\', '/'))) return false;
  const found = await files.entry(file);
  return found !== null && (process.getuid === undefined || found.uid === process.getuid());
}

/** The file itself, when it lies below the home by its real path, or has this shape: links lead nowhere else. */
async function within(path: string, { files, home }: TranscriptDeps, shape: RegExp | null): Promise<string | null> {
  if (farPlace(path) !== null) return path; // the machine elsewhere looks at nothing else
  const [base, file] = await Promise.all([files.realPath(home), files.realPath(path)]);
  if (base === null || file === null) return null;
  const below = relative(base, file);
  const isBelow = below !== '' && !below.startsWith('..') && !isAbsolute(below);
  return isBelow || (shape !== null && (await isMoved(file, shape, files))) ? file : null;
}

/** When a record was written, Unix ms; null: it does not say. */
export const timeOf = (record: unknown): number | null =>
  isObject(record) ? time(record['timestamp'] ?? record['createdAt']) : null;

function time(value: unknown): number | null {
  const at = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(at) ? at : null;
}

/** One record of a transcript: role and content are in it, or one level below. */
export function messageIn(record: unknown): ContextMessage | null {
  if (!isObject(record) || record['isMeta'] === true || record['isSidechain'] === true) return null;
  if (typeof record['agentId'] === 'string') return null; // a subagent's
  for (const inner of [record, record['message'], record['payload'], record['data']]) {
    if (!isObject(inner)) continue;
    const type = inner['role'] ?? record['type'];
    const named = typeof type === 'string' ? /^(user|assistant)(?:$|[._])/.exec(type)?.[1] : undefined;
    // What a client reports to its user (an error of the service) has the user's role; nobody asked it.
    const role = inner['visibility'] === 'user_only' ? 'assistant' : named;
    const said = toMessage(role, inner['content'] ?? inner['text']);
    if (said) return { ...said, at: timeOf(record), from: 'transcript' };
  }
  return null;
}

/** Records in the order of the file: one a line, or the `messages` of one document. */
function records(text: string, whole: boolean): readonly unknown[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const document = whole && lines[0]?.trim() === '{' ? parseJson(text) : null;
  if (isObject(document) && Array.isArray(document['messages'])) return document['messages'];
  return (whole ? lines : lines.slice(1)).map(parseJson);
}

/** The records in the last `most` bytes of a file below the home, oldest first; elsewhere it has to have this shape. */
export async function readRecords(
  path: string,
  deps: TranscriptDeps,
  most = TAIL,
  shape: RegExp | null = null,
): Promise<readonly unknown[]> {
  const file = await within(path, deps, shape);
  const tail = file === null ? null : await deps.files.end(file, most);
  return tail === null ? [] : records(tail.text, tail.whole);
}

/** A turn, Unix ms; null: not known. */
export interface TurnTime {
  readonly from: number | null;
  readonly to: number | null;
}

/**
 * The last request until the turn's end, and the last message after it, oldest first; empty when there is none. Clients write behind their
 * hooks, and a later turn may have begun by now: the words of another turn are none. A record without a time has that of the one before it.
 */
export async function readTranscriptTail(
  path: string,
  deps: TranscriptDeps,
  { from, to }: TurnTime = { from: null, to: null },
): Promise<readonly ContextMessage[]> {
  const found: { user?: ContextMessage; assistant?: ContextMessage } = {};
  let at: number | null = null;
  for (const record of await readRecords(path, deps)) {
    const message = messageIn(record);
    at = message?.at ?? at;
    if (message === null || (to !== null && at !== null && at > to)) continue;
    found[message.role] = message;
    const isOfTurn = message.role === 'assistant' && (from === null || at === null || at >= from);
    if (!isOfTurn) delete found.assistant;
  }
  return [found.user, found.assistant].filter((message) => message !== undefined);
}
