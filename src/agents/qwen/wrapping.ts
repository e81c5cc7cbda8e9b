// How Qwen is answered beside its prompt: its "dual output", two files of one session. Seen with 0.15.10.
import { asObject, isObject, type JsonObject } from '../../lib/json/json.ts';
import type { WrappedMessage, Wrapping } from '../../model/agent/wrapping.ts';
import { firstString } from '../shared/fields.ts';
import { subjectText } from '../shared/tool-use-in-full.ts';
import { toolOf } from '../shared/tool-use-line.ts';

/** Longest input, in characters, that is answered from elsewhere: nothing of it is cut. */
const LONGEST = 60_000;
/** Tools that ask a person, for which allowing is no answer. */
const ASKING = new Set(['ask_user_question', 'exit_plan_mode']);

export const wrapping: Wrapping = {
  answers: 'a permission, and the next instruction after it has finished',
  serves: ({ tool }) => tool !== null && !ASKING.has(tool.name),
  args: (events, answers) => ['--json-file', events, '--input-file', answers],
  conflicts: ['--json-file', '--json-fd', '--input-file'],
  oneShot: ['-p', '--prompt'],
  marks: ['"control_request"', '"control_response"', '"session_start"', '"role":"user"'],
  read: (line) => {
    if (line['type'] === 'system' && line['subtype'] === 'session_start') return started(line);
    if (line['type'] === 'user') return prompted(line);
    if (line['type'] === 'control_request') return asked(line);
    return line['type'] === 'control_response' ? resolved(asObject(line['response'])) : null;
  },
  answer: (requestId, answer) => {
    const decision = { type: 'confirmation_response', request_id: requestId, allowed: answer.type === 'allow' };
    if (answer.type !== 'deny') return { now: [decision], again: [], reply: null };
    // It says nothing of a denial, but that a second one is too late. A denial takes no text and ends the turn: the text begins the next one.
    return { now: [decision], again: [decision], reply: answer.message };
  },
  reply: submit,
};

function submit(text: string): JsonObject {
  return { type: 'submit', text };
}

function started(line: JsonObject): WrappedMessage | null {
  const sessionId = firstString(line, 'session_id') ?? firstString(asObject(line['data']), 'session_id');
  return sessionId === null ? null : { type: 'session', sessionId };
}

/** Results of tools come in the same form. */
function prompted(line: JsonObject): WrappedMessage | null {
  const { content } = asObject(line['message']);
  if (!Array.isArray(content) || !content.every((block) => asObject(block)['type'] === 'text')) return null;
  // What it adds, such as files that were named, comes after what was typed.
  const { text } = asObject(content[0]);
  return typeof text === 'string' ? { type: 'prompted', text, sessionId: firstString(line, 'session_id') } : null;
}

function asked(line: JsonObject): WrappedMessage | null {
  const id = firstString(line, 'request_id');
  const { subtype, input, tool_name: name } = asObject(line['request']);
  if (id === null || subtype !== 'can_use_tool' || typeof name !== 'string' || !isObject(input)) return null;
  const tool = toolOf(name, input);
  const raw = JSON.stringify(line);
  if (tool === null || ASKING.has(name) || raw.length > LONGEST) return null;
  const question = { kind: 'permission', cwd: null, subagent: null, tool, partial: null, choices: [] } as const;
  return { type: 'asked', request: { id, raw, question: { ...question, text: subjectText(input) } } };
}

function resolved(response: JsonObject): WrappedMessage | null {
  const requestId = firstString(response, 'request_id');
  if (requestId === null) return null;
  const { allowed } = asObject(response['response']);
  return { type: 'resolved', requestId, allowed: typeof allowed === 'boolean' ? allowed : null };
}
