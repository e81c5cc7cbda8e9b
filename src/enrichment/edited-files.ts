// Files that a turn's tools edited, from the end of its transcript: the calls of tools that write, without those that failed.
import { asObject, isObject, parseJson } from '../lib/json/json.ts';
import { toolKind } from '../model/agent/tool-kinds.ts';
import { messageIn, readRecords, timeOf, type TranscriptDeps, type TurnTime } from './transcript.ts';

/** Paths as the tools were given them, each once, the last edited last. */
export interface EditedFiles {
  readonly paths: readonly string[];
  /** False: the turn began before what was read. */
  readonly whole: boolean;
}

const PATHS = ['file_path', 'filePath', 'notebook_path', 'path'];
/** What names a file in a patch. */
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;
/** Files of one turn at most. */
const MOST = 1_000;

/** A call of a tool, or what came of one. */
interface Step {
  /** Null: its client names none. */
  readonly id: string | null;
  readonly paths: readonly string[];
  readonly failed: boolean;
}

/** The parts of a record that may be a call: the record's own, and those of what it holds. */
function partsOf(record: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!isObject(record) || record['isSidechain'] === true || typeof record['agentId'] === 'string') return [];
  return [record, record['message'], record['payload'], record['data']].filter(isObject).flatMap((inner) => {
    const lists = [inner['content'], inner['parts'], inner['toolCalls']].filter((list) => Array.isArray(list)).flat();
    return [inner, ...lists.filter(isObject)];
  });
}

function stepOf(part: Readonly<Record<string, unknown>>): Step | null {
  if (part['type'] === 'tool_result')
    return { id: textOf(part['tool_use_id']), paths: [], failed: part['is_error'] === true };
  const call = isObject(part['functionCall']) ? part['functionCall'] : part;
  const name = textOf(call['name']);
  if (name === null || toolKind(name) !== 'editor') return null;
  const given = call['input'] ?? call['args'] ?? call['arguments'];
  const failed = call['status'] === 'error' || call['status'] === 'cancelled';
  return { id: textOf(call['id']) ?? textOf(call['call_id']), paths: pathsIn(given), failed };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** `given`: an object, its JSON, or a patch. */
function pathsIn(given: unknown): readonly string[] {
  const fields = asObject(typeof given === 'string' ? parseJson(given) : given);
  const named = PATHS.flatMap((key) => textOf(fields[key]) ?? []).slice(0, 1);
  const patch = [fields['patch'], fields['input'], given].find((text) => typeof text === 'string');
  return named.length > 0 || patch === undefined
    ? named
    : [...String(patch).matchAll(PATCHED)].map(([, path = '']) => path.trim());
}

/** Of the turn that began at `from`, else with the last request, until `to`. `shape`: as the path of such a file ends, where it is not below the home. */
export async function readEditedFiles(
  path: string,
  deps: TranscriptDeps,
  { from, to }: TurnTime,
  shape: RegExp | null = null,
): Promise<EditedFiles> {
  const found = new Map<string, readonly string[]>();
  let at: number | null = null;
  let whole = false;
  for (const [index, record] of (await readRecords(path, deps, undefined, shape)).entries()) {
    at = timeOf(record) ?? at;
    if (to !== null && at !== null && at > to) break;
    const isBefore = from !== null && at !== null && at < from;
    if (messageIn(record)?.role === 'user' && (from === null || at === null || found.size === 0)) {
      found.clear();
      whole = true;
    } else if (isBefore) whole = true;
    if (isBefore) continue;
    for (const [part, step] of partsOf(record).map(stepOf).entries()) {
      if (step === null) continue;
      const key = step.id ?? `${index}.${part}`;
      if (step.failed) found.delete(key);
      else if (step.paths.length > 0 && found.size < MOST) found.set(key, step.paths);
    }
  }
  const paths = new Set<string>();
  for (const one of [...found.values()].flat()) {
    paths.delete(one);
    paths.add(one);
  }
  return { paths: [...paths], whole };
}
