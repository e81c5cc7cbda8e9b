// Clients whose hooks hold the terminal while they wait, so that they may do so only while the person is away. Forms as seen with each.
import { asObject, type JsonObject } from '../../lib/json/json.ts';
import type { Answering, AskedQuestion, FinalAnswer } from '../../model/question/answering.ts';
import { firstString } from './fields.ts';
import { subjectText } from './tool-use-in-full.ts';
import { toolOf } from './tool-use-line.ts';

const PERMISSION = 'PermissionRequest';
const STOP = 'Stop';
/** Longer than anybody can be away, seconds. */
const TIMEOUT = 13 * 3_600;

/** A permission that is asked for before the client's own dialog; after the hook, without an answer, the dialog comes. */
export function heldPermission(since: string): Answering {
  return {
    since,
    holds: true,
    entries: [{ event: PERMISSION, timeout: TIMEOUT, reply: false, keys: {} }],
    withdrawals: [],
    read: (input) => {
      const sessionId = firstString(input, 'session_id');
      const tool = toolOf(firstString(input, 'tool_name'), input['tool_input']);
      if (sessionId === null || tool === null || input['hook_event_name'] !== PERMISSION) return null;
      const text = subjectText(asObject(input['tool_input']));
      return { ...commonOf(input, sessionId), kind: 'permission', tool, text, partial: null, choices: [] };
    },
    print: (answer) =>
      JSON.stringify({ hookSpecificOutput: { hookEventName: PERMISSION, decision: decision(answer) } }),
  };
}

/** The end of a turn, held until the next instruction comes. Its text becomes a message of the user. */
export function heldFinish(since: string): Answering {
  return {
    since,
    holds: true,
    entries: [{ event: STOP, timeout: TIMEOUT, reply: false, keys: {} }],
    withdrawals: [],
    read: (input) => {
      const sessionId = firstString(input, 'session_id');
      if (sessionId === null || input['hook_event_name'] !== STOP) return null;
      const text = firstString(input, 'last_assistant_message') ?? '';
      return { ...commonOf(input, sessionId), kind: 'text', tool: null, text, partial: null, choices: [] };
    },
    printReply: (text) => JSON.stringify({ decision: 'block', reason: text }),
    print: () => '',
  };
}

function commonOf(input: JsonObject, sessionId: string): Pick<AskedQuestion, 'sessionId' | 'cwd' | 'subagent'> {
  return { sessionId, cwd: firstString(input, 'cwd'), subagent: firstString(input, 'agent_id') };
}

/** Only allow and deny: some of them take any other word for a deny, and refuse further fields. */
function decision(answer: Exclude<FinalAnswer, { type: 'reply' }>): JsonObject {
  if (answer.type === 'allow') return { behavior: 'allow' };
  const message = answer.type === 'deny' ? answer.message : null;
  return { behavior: 'deny', message: message ?? 'The user denied this.' };
}
