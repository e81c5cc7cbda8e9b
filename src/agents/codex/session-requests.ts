// What a session of Codex asks through its server, and the server's own form of the answers. Seen with 0.169.0.
import { firstString } from '../shared/fields.ts';
import { optionsOf } from '../shared/question-options.ts';
import { subjectText } from '../shared/tool-use-in-full.ts';
import { commandOf, firstQuestion } from '../shared/tool-use-line.ts';
import { asObject, type JsonObject } from '../../lib/json/json.ts';
import type { AskedQuestion, Choice } from '../../model/question/answering.ts';
import type { JoinedAnswer } from '../../model/agent/joining.ts';

const COMMAND = 'item/commandExecution/requestApproval';
const QUESTION = 'item/tool/requestUserInput';
/** Options of one question, and questions of one request: beyond that it is answered at the terminal. */
const MAX_ITEMS = 10;
/** Longest request, in characters, that is answered from elsewhere: nothing of it is cut. */
const LONGEST = 60_000;
/** What names the request, or offers more than to allow it once: no part of what is asked. */
const ASIDE = new Set([
  'threadId',
  'turnId',
  'itemId',
  'approvalId',
  'startedAtMs',
  'environmentId',
  'kind',
  'cwd',
  'commandActions',
  'availableDecisions',
  'proposedExecpolicyAmendment',
  'proposedNetworkPolicyAmendments',
]);

type Asked = Omit<AskedQuestion, 'sessionId'>;

/** Null: of a form that only the terminal is to answer. */
export function questionOf(method: string, params: JsonObject): Asked | null {
  if (JSON.stringify(params).length > LONGEST) return null;
  if (method === COMMAND) return permission(params);
  return method === QUESTION ? choice(params) : null;
}

function permission(params: JsonObject): Asked | null {
  const { kind = 'command', availableDecisions: offered } = params;
  if (kind !== 'command') return null; // what is typed into a running program, or what its maker wants a person for
  if (Array.isArray(offered) && !offered.includes('accept')) return null;
  const command = firstString(params, 'command');
  const shown = Object.entries(params).filter(([key, value]) => !ASIDE.has(key) && value !== null);
  const plain = command === null ? null : inShell(command);
  const partial = command === null ? 'its command is shown at the terminal only' : null;
  const text = subjectText({ ...Object.fromEntries(shown), ...(plain === null ? {} : { command: plain }) });
  const tool = { name: 'Bash', summary: plain === null ? null : commandOf(plain) };
  return { ...commonOf(params), kind: 'permission', tool, text, partial, choices: [] };
}

/** `/bin/bash -lc 'touch notes.txt'` is how it runs every command: the command alone is what its own prompt shows. */
function inShell(command: string): string {
  return /^(?:\/usr)?\/bin\/(?:ba|z)?sh -l?c '([^'\\]+)'$/.exec(command)?.[1] ?? command;
}

function choice(params: JsonObject): Asked | null {
  const { questions } = params;
  if (!Array.isArray(questions) || questions.length === 0 || questions.length > MAX_ITEMS) return null;
  const all = questions.map(asObject);
  const ids = new Set(all.map((question) => firstString(question, 'id')));
  // What is to be typed unseen is no text for a chat.
  if (ids.has(null) || ids.size !== all.length || all.some(({ isSecret }) => isSecret === true)) return null;
  const choices = all.map(choiceOf);
  if (!choices.every((one) => one !== null)) return null;
  const tool = { name: 'request_user_input', summary: firstQuestion(all) };
  const text = choices.map(({ question }) => question).join('\n');
  return { ...commonOf(params), kind: 'choice', tool, text, partial: null, choices };
}

function choiceOf(given: JsonObject): Choice | null {
  const question = firstString(given, 'question');
  const options = optionsOf(given['options'], MAX_ITEMS);
  return question === null || options === null ? null : { question, ...options, multiple: false };
}

const commonOf = (params: JsonObject): Pick<Asked, 'cwd' | 'subagent'> => ({
  cwd: firstString(params, 'cwd'),
  subagent: null,
});

/** The result of the request. A permission's takes no text. */
export function resultOf(params: JsonObject, answer: JoinedAnswer): JsonObject {
  const { questions } = params;
  if (!Array.isArray(questions)) return { decision: answer.type === 'allow' ? 'accept' : 'decline' };
  const given = (at: number): readonly string[] => {
    if (answer.type === 'choose') return answer.chosen[at] ?? [];
    return answer.type === 'deny' && answer.message !== null ? [answer.message] : [];
  };
  const answers = questions.map((question, at) => [String(asObject(question)['id']), { answers: given(at) }]);
  return { answers: Object.fromEntries(answers) };
}
