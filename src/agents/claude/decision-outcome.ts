// What became of a decision that its hook printed, as Claude's transcript says: it tells the hook nothing when somebody says Yes at the terminal, and stops it only a moment after an Esc. Seen with 2.1.197.
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { asObject, type JsonObject, parseJson } from '../../lib/json/json.ts';
import type { FileReads, FinalAnswer, Handed, Outcome } from '../../model/question/answering.ts';

/** Bytes of the transcript that are looked at: the call, which may write a file, and what came of it. */
const TAIL = 512 * 1024;
/** What it notes of a call that somebody rejected at the terminal. */
const REJECTED = 'User rejected tool use';
/** What the model reads of a denial without words. */
export const DENIED = 'The user denied this.';

/** What a record says of a call; `at`: Unix ms. */
interface Settled {
  readonly id: unknown;
  readonly at: number;
  readonly handed: (answer: FinalAnswer) => Handed;
}

/** `since`: Unix ms when the hook was started. Where there is no transcript to see it in, what was printed was taken. */
export async function outcomeIn(
  asked: { readonly input: JsonObject; readonly since: number },
  answer: FinalAnswer,
  files: FileReads,
): Promise<Outcome> {
  const { input, since } = asked;
  const path = transcriptOf(input);
  const tail = path === null ? null : await files.end(path, TAIL);
  if (tail === null) return { handed: 'taken', isFinal: true };
  const records = tail.text.split('\n').map((line) => asObject(parseJson(line)));
  const calls = callsOf(records, input);
  if (calls.length === 0) return { handed: 'taken', isFinal: false };
  // It asks one thing at a time: what is settled first since then, of calls that are the same, is this one.
  const settled = records.flatMap(settledIn).find(({ id, at }) => at >= since && calls.includes(id));
  if (settled !== undefined) return { handed: settled.handed(answer), isFinal: true };
  // What was denied or answered is noted at once, what was allowed perhaps only when it has run.
  return { handed: answer.type === 'allow' ? 'taken' : 'unconfirmed', isFinal: false };
}

/** A subagent has one of its own. */
function transcriptOf({ transcript_path: path, agent_id: agent }: JsonObject): string | null {
  if (typeof path !== 'string' || !isAbsolute(path) || !path.endsWith('.jsonl')) return null;
  if (agent === undefined) return path;
  const isName = typeof agent === 'string' && /^[\w-]{1,200}$/.test(agent);
  return isName ? join(dirname(path), basename(path, '.jsonl'), 'subagents', `agent-${agent}.jsonl`) : null;
}

/** Ids of the calls that the input may be about. */
function callsOf(records: readonly JsonObject[], input: JsonObject): readonly unknown[] {
  const calls = records
    .filter(({ type }) => type === 'assistant')
    .flatMap(blocksOf)
    .filter(({ type, name }) => type === 'tool_use' && name === input['tool_name']);
  const same = calls.filter((call) => isDeepStrictEqual(call['input'], input['tool_input']));
  return (same.length > 0 ? same : calls.slice(-1)).map(({ id }) => id);
}

function blocksOf({ message }: JsonObject): readonly JsonObject[] {
  const { content } = asObject(message);
  return Array.isArray(content) ? content.map(asObject) : [];
}

function settledIn(record: JsonObject): readonly Settled[] {
  const at = Date.parse(String(record['timestamp']));
  const attached = asObject(record['attachment']);
  if (attached['type'] === 'hook_permission_decision')
    return [{ id: attached['toolUseID'], at, handed: () => 'taken' }];
  if (record['type'] !== 'user') return [];
  return blocksOf(record)
    .filter(({ type }) => type === 'tool_result')
    .map((result) => ({ id: result['tool_use_id'], at, handed: (answer) => handedBy(answer, record, result) }));
}

/** A result without a note of the hook's decision before it: of another version, or of somebody who was first at the terminal. */
function handedBy(answer: FinalAnswer, record: JsonObject, result: JsonObject): Handed {
  const isRejected = record['toolUseResult'] === REJECTED;
  // One that ran and was interrupted in that moment is noted as rejected too.
  if (answer.type === 'allow') return isRejected ? 'unconfirmed' : 'taken';
  if (answer.type !== 'deny') return isRejected ? 'late' : 'unconfirmed';
  return result['is_error'] === true && textOf(result).includes(answer.message ?? DENIED) ? 'taken' : 'late';
}

const textOf = ({ content }: JsonObject): string =>
  typeof content === 'string' ? content : JSON.stringify(content ?? '');
