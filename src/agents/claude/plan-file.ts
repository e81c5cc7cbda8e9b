// Where Claude keeps the plan that it asks about: in a file of its own, which the input names, or the transcript. Seen with 2.1.197 and 2.1.330.
import { dirname, isAbsolute, join } from 'node:path';
import { asObject, type JsonObject, parseJson } from '../../lib/json/json.ts';
import type { FileReads } from '../../model/question/answering.ts';

/** Bytes of a plan: a longer one is read and allowed at the terminal. */
const LONGEST = 60_000;
/** Bytes of the transcript that are looked at: each of its records names the session's plan. */
const TAIL = 256 * 1024;

/** The input with the plan as the file has it now; the very same where there is no such file, or it cannot be read whole. */
export async function withPlan(input: JsonObject, files: FileReads): Promise<JsonObject> {
  const asked = asObject(input['tool_input']);
  const path = fileOf(asked['planFilePath']) ?? (await fileInTranscript(input, files));
  const plan = path === null ? null : await files.start(path, LONGEST + 1);
  if (plan === null || plan.trim() === '' || Buffer.byteLength(plan) > LONGEST) return input;
  return plan === asked['plan'] ? input : { ...input, tool_input: { ...asked, plan } };
}

/** Only files that are called as Claude calls them are read. */
function fileOf(path: unknown): string | null {
  return typeof path === 'string' && isAbsolute(path) && path.endsWith('.md') ? path : null;
}

/** `plans/NAME.md` beside `projects/FOLDER/SESSION.jsonl`; a subagent has one of its own. */
async function fileInTranscript(input: JsonObject, files: FileReads): Promise<string | null> {
  const transcript = input['transcript_path'];
  if (typeof transcript !== 'string' || !isAbsolute(transcript)) return null;
  const tail = await files.end(transcript, TAIL);
  const records = (tail?.text ?? '').split('\n').slice(tail?.whole === true ? 0 : 1);
  const names = records.map((line) => asObject(parseJson(line))['slug']);
  const name = names.findLast((one) => typeof one === 'string' && /^[\w-]{1,200}$/.test(one));
  if (name === undefined) return null;
  const agent = input['agent_id'];
  const own = typeof agent === 'string' && /^[\w-]{1,200}$/.test(agent) ? `-agent-${agent}` : '';
  return join(dirname(dirname(dirname(transcript))), 'plans', `${String(name)}${own}.md`);
}
