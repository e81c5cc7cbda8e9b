// How opencode is answered from elsewhere: its plugin asks beside the dialogs and hands answers over inside the client. Seen with 1.18.33.
import { asObject, type JsonObject } from '../../lib/json/json.ts';
import type { Answering, AskedQuestion, Choice, FinalAnswer } from '../../model/question/answering.ts';
import { firstString } from '../shared/fields.ts';
import { optionsOf } from '../shared/question-options.ts';
import { subjectText } from '../shared/tool-use-in-full.ts';
import { commandOf } from '../shared/tool-use-line.ts';

/** Options shown of one question, and questions of one input: beyond that it is answered at the terminal. */
const MAX_ITEMS = 10;

export const answering: Answering = {
  since: '1.18.33',
  entries: [],
  inside: {
    file: null,
    ownInput: false,
    asks: '`permission.asked`, `question.asked` and `session.idle`',
    needs: null,
  },
  withdrawals: [],
  read: (input) => {
    const properties = asObject(input['properties']);
    const sessionId = firstString(properties, 'sessionID');
    if (sessionId === null) return null;
    const common = { sessionId, cwd: null, subagent: null };
    if (input['type'] === 'session.idle')
      return { ...common, kind: 'text', tool: null, text: '', partial: null, choices: [] };
    if (input['type'] === 'permission.asked') return permission(common, properties);
    return input['type'] === 'question.asked' ? question(common, properties) : null;
  },
  printReply: (text) => JSON.stringify({ prompt: text }),
  print: (answer, input) => JSON.stringify(given(answer, asObject(input['properties'])['questions'])),
};

type Common = Pick<AskedQuestion, 'sessionId' | 'cwd' | 'subagent'>;

/** What it is about is in `metadata`; `patterns` are what the client's own rules see of it. */
function permission(common: Common, properties: JsonObject): AskedQuestion | null {
  const name = firstString(properties, 'permission');
  if (name === null) return null;
  const metadata = asObject(properties['metadata']);
  const listed = properties['patterns'];
  const patterns = Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : [];
  const shown = subjectText(metadata);
  const more = patterns.filter((pattern) => pattern !== '*' && !shown.includes(pattern));
  const text = [...(shown === '' ? [] : [shown]), ...more].join('\n');
  const partial = shown === '' ? 'what it is to do is shown at the terminal only' : null;
  const command = firstString(metadata, 'command');
  const tool = { name, summary: command === null ? null : commandOf(command) };
  return { ...common, kind: 'permission', tool, text, partial, choices: [] };
}

/** Null: not a form that can be answered with certainty. */
function question(common: Common, { questions }: JsonObject): AskedQuestion | null {
  if (!Array.isArray(questions) || questions.length === 0 || questions.length > MAX_ITEMS) return null;
  const choices = questions.map(asObject).flatMap((item): Choice[] => {
    const options = optionsOf(item['options'], MAX_ITEMS);
    const asked = firstString(item, 'question', 'header');
    return options === null || asked === null
      ? []
      : [{ question: asked, ...options, multiple: item['multiple'] === true }];
  });
  const text = choices.map(({ question: asked }) => asked).join('\n');
  const isWhole = choices.length === questions.length;
  return isWhole ? { ...common, kind: 'choice', tool: null, text, partial: null, choices } : null;
}

/** What the plugin hands to the client. A question that is rejected takes no text there, so a text is the answer to each. */
function given(answer: Exclude<FinalAnswer, { type: 'reply' }>, questions: unknown): JsonObject {
  if (answer.type === 'allow') return { reply: 'once' };
  if (answer.type === 'choose') return { answers: answer.chosen };
  const { message } = answer;
  if (Array.isArray(questions) && message !== null) return { answers: questions.map(() => [message]) };
  return message === null ? { reply: 'reject' } : { reply: 'reject', message };
}
