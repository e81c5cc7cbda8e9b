// How Claude is answered from elsewhere: a hook that waits beside its prompt, and one that wakes a finished session. Seen with 2.1.197.
import { asObject, type JsonObject } from '../../lib/json/json.ts';
import type { Answering, AskedQuestion, Choice, FinalAnswer } from '../../model/question/answering.ts';
import type { Cause } from '../shared/event-builders.ts';
import { firstString } from '../shared/fields.ts';
import { optionsOf } from '../shared/question-options.ts';
import { subjectText } from '../shared/tool-use-in-full.ts';
import { toolOf } from '../shared/tool-use-line.ts';
import { DENIED, outcomeIn } from './decision-outcome.ts';
import { failureCause } from './failure-cause.ts';
import { withPlan } from './plan-file.ts';

const PERMISSION = 'PermissionRequest';
const NOTIFICATION = 'Notification';
const QUESTION = 'AskUserQuestion';
const PLAN = 'ExitPlanMode';
/** What the client puts around the reply of a hook that wakes a session. */
const MESSAGE = 'The user replied from another device:';
/** The same of a session that goes on after it had stopped, which may be by itself. */
const NEXT = 'The next instruction, passed on by Belfry:';
const SUMMARY = 'Reply from another device';
/** The longest that this client was seen to accept, seconds. */
const A_DAY = 86_400;
/** Seconds that the hook of a notification may take to print what is to be shown. */
const SHOWN_WITHIN = 10;
/** Options shown of one question, and questions of one input: beyond that it is answered at the terminal. */
const MAX_ITEMS = 10;

/** Keys of an entry whose reply is the session's next prompt. */
const wakesWith = (rewakeMessage: string) => ({ asyncRewake: true, rewakeMessage, rewakeSummary: SUMMARY });
/** A limit's dialog may stand in the terminal: words that come meanwhile are kept, and run when somebody closes it. */
const PASSES: ReadonlySet<string> = new Set<Cause>(['server', 'network']);

/** One-shot runs and hosts would be held up by a waiting `Stop`: the environment says what they are. */
const isInteractive = (env: Readonly<Record<string, string>>): boolean =>
  !(env['CLAUDE_CODE_ENTRYPOINT'] ?? '').startsWith('sdk-');

type Common = Pick<AskedQuestion, 'sessionId' | 'cwd' | 'subagent'>;

export const answering: Answering = {
  since: '2.1.197',
  entries: [
    { event: PERMISSION, timeout: A_DAY, reply: false, beside: true, keys: {} },
    { event: NOTIFICATION, timeout: SHOWN_WITHIN, reply: false, terminal: true, keys: {} },
    { event: 'Stop', timeout: A_DAY, reply: true, keys: wakesWith(MESSAGE) },
    { event: 'StopFailure', timeout: A_DAY, reply: true, keys: wakesWith(NEXT) },
  ],
  withdrawals: ['PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit', 'SessionStart'],
  read: (input, { env }) => {
    const sessionId = firstString(input, 'session_id');
    if (sessionId === null) return null;
    const common = { sessionId, cwd: firstString(input, 'cwd'), subagent: firstString(input, 'agent_id') };
    const event = input['hook_event_name'];
    if (event === 'Stop') return isInteractive(env) ? finished(common, input) : null;
    if (event === 'StopFailure') return isInteractive(env) && passes(input) ? finished(common, input) : null;
    return event === PERMISSION ? asked(common, input) : null;
  },
  complete: async (input, files) => (input['tool_name'] === PLAN ? withPlan(input, files) : input),
  outcome: outcomeIn,
  // Its own list of what it writes: OSC 0, 1, 2, 9, 99 and 777, and the bell. Within tmux it wraps them itself.
  terminal: {
    reads: (input) => (input['hook_event_name'] === NOTIFICATION ? firstString(input, 'session_id') : null),
    print: (sequence) => JSON.stringify({ terminalSequence: sequence }),
  },
  print: (answer, input) =>
    JSON.stringify({ hookSpecificOutput: { hookEventName: PERMISSION, decision: decision(answer, input) } }),
};

/** The reply in the prompt that it becomes: a notice of the client's, then our message. Null: it is no reply. */
export function replyIn(prompt: string | null | undefined): string | null {
  const [notice = '', said] = (prompt ?? '').split('</task-notification>', 2);
  if (!notice.startsWith('<task-notification>') || !notice.includes(`<summary>${SUMMARY}</summary>`)) return null;
  const lead = [MESSAGE, NEXT].find((one) => said?.includes(one)) ?? null;
  const text = lead === null ? '' : (said ?? '').slice((said ?? '').indexOf(lead) + lead.length);
  const end = text.lastIndexOf('</system-reminder>');
  return text.slice(0, end < 0 ? text.length : end).trim() || null;
}

/** Whether what made its turn fail passes by itself. */
function passes(input: JsonObject): boolean {
  return PASSES.has(failureCause(firstString(input, 'error'), firstString(input, 'last_assistant_message')));
}

function finished(common: Common, input: JsonObject): AskedQuestion {
  const text = firstString(input, 'last_assistant_message') ?? '';
  return { ...common, kind: 'text', tool: null, text, partial: null, choices: [] };
}

function asked(common: Common, input: JsonObject): AskedQuestion | null {
  const name = firstString(input, 'tool_name');
  const tool = toolOf(name, input['tool_input']);
  if (name === null || tool === null) return null;
  const given = asObject(input['tool_input']);
  if (name === QUESTION) {
    const choices = choicesOf(given['questions']);
    const text = choices?.map(({ question }) => question).join('\n') ?? '';
    return choices && { ...common, kind: 'choice', tool, text, partial: null, choices };
  }
  const isPlan = name === PLAN;
  const partial = isPlan && planIn(given) === null ? 'the plan is shown at the terminal only' : null;
  const text = isPlan ? planText(given) : subjectText(given);
  return { ...common, kind: 'permission', tool, text, partial, choices: [] };
}

/** As it is, however long; null: it is kept elsewhere, or empty. */
function planIn({ plan }: JsonObject): string | null {
  return typeof plan === 'string' && plan.trim() !== '' ? plan : null;
}

/** The plan, and what it asks for besides. */
function planText({ plan, planFilePath: _path, ...others }: JsonObject): string {
  return [planIn({ plan }) ?? '', subjectText(others)].filter((part) => part !== '').join('\n\n');
}

/** Null: not a form that can be answered with certainty. */
function choicesOf(questions: unknown): readonly Choice[] | null {
  if (!Array.isArray(questions) || questions.length === 0 || questions.length > MAX_ITEMS) return null;
  const choices = questions.map(asObject).flatMap((item) => {
    const options = optionsOf(item['options'], MAX_ITEMS);
    const question = firstString(item, 'question') ?? '';
    return options === null || question === ''
      ? []
      : [{ question, ...options, multiple: item['multiSelect'] === true }];
  });
  // Answers are keyed by the question's text.
  return new Set(choices.map(({ question }) => question)).size === questions.length ? choices : null;
}

function decision(answer: Exclude<FinalAnswer, { type: 'reply' }>, input: JsonObject): JsonObject {
  const isPlan = input['tool_name'] === PLAN && planIn(asObject(input['tool_input'])) !== null;
  // The plan that was shown is the one that it goes on with, whatever the file says by then.
  if (answer.type === 'allow')
    return { behavior: 'allow', ...(isPlan && { updatedInput: asObject(input['tool_input']) }) };
  if (answer.type === 'deny') return { behavior: 'deny', message: answer.message ?? DENIED };
  const given = asObject(input['tool_input']);
  const choices = choicesOf(given['questions']) ?? [];
  const answers = Object.fromEntries(
    choices.map(({ question }, at) => [question, answer.chosen[at]?.join(', ') ?? '']),
  );
  return { behavior: 'allow', updatedInput: { ...given, answers } };
}
