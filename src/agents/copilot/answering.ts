// How Copilot is answered from elsewhere: its extension asks beside the dialogs and hands answers over inside the client. Seen with 1.0.102.
import { join } from 'node:path';
import { asObject, type JsonObject } from '../../lib/json/json.ts';
import type { Answering, AskedQuestion, FinalAnswer } from '../../model/question/answering.ts';
import { firstString } from '../shared/fields.ts';
import { toolOf } from '../shared/tool-use-line.ts';
import { extensionText } from './extension.ts';
import { formFault, formFields, formValues } from './form.ts';
import { requestText } from './request-text.ts';

export const answering: Answering = {
  since: '1.0.102',
  entries: [],
  inside: {
    file: {
      user: ({ home, env }) =>
        join(env['COPILOT_HOME'] || join(home, '.copilot'), 'extensions', 'belfry', 'extension.mjs'),
      text: extensionText,
    },
    ownInput: true,
    asks: '`permission.requested`, `elicitation.requested` and `session.idle`',
    needs: {
      todo: 'it is answered by an extension: start it as `copilot --experimental`, and say yes when it asks whether "user:belfry" may handle permission requests',
      when: 'when started with --experimental',
    },
  },
  withdrawals: [],
  read: (input) => {
    const sessionId = firstString(input, 'sessionId');
    if (sessionId === null) return null;
    const common = { sessionId, cwd: firstString(input, 'cwd'), subagent: firstString(input, 'agentId') };
    if (input['type'] === 'session.idle') {
      const text = firstString(input, 'text') ?? '';
      return { ...common, kind: 'text', tool: null, text, partial: null, choices: [] };
    }
    if (input['type'] === 'permission.requested') return permission(common, asObject(input['request']));
    return input['type'] === 'elicitation.requested' ? form(common, input) : null;
  },
  fault: (answer, input) => (answer.type === 'choose' ? formFault(input['schema'], answer.chosen) : null),
  printReply: (text) => JSON.stringify({ prompt: text }),
  print: (answer, input) => JSON.stringify(given(answer, input)),
};

type Common = Pick<AskedQuestion, 'sessionId' | 'cwd' | 'subagent'>;

function permission(common: Common, request: JsonObject): AskedQuestion | null {
  const text = requestText(request);
  const kind = firstString(request, 'kind');
  // What an organization's rules want a person for is answered where the person is.
  if (text === null || kind === null || request['managedApprovalRequired'] === true) return null;
  const name = firstString(request, 'toolName') ?? kind;
  const tool = toolOf(name, { command: request['fullCommandText'], path: request['fileName'] ?? request['path'] });
  return { ...common, kind: 'permission', tool, text, partial: null, choices: [] };
}

function form(common: Common, input: JsonObject): AskedQuestion | null {
  const message = firstString(input, 'message') ?? '';
  const fields = input['mode'] === 'url' ? null : formFields(input['schema'], message);
  if (fields === null) return null;
  const choices = fields.map(({ choice }) => choice);
  // A single field asks it itself.
  const before = message === '' || fields.length === 1 ? [] : [message];
  const text = [...before, ...choices.map(({ question }) => question)].join('\n');
  return { ...common, kind: 'choice', tool: null, text, partial: null, choices };
}

/** What the extension hands to the client. A form that is declined takes no text there, so the text is sent as a prompt after it. */
function given(answer: Exclude<FinalAnswer, { type: 'reply' }>, input: JsonObject): JsonObject {
  if (answer.type === 'allow') return { kind: 'approve-once' };
  if (answer.type === 'choose')
    return {
      action: 'accept',
      content: formValues(input['schema'], firstString(input, 'message') ?? '', answer.chosen),
    };
  const { message } = answer;
  if (input['type'] === 'elicitation.requested')
    return { action: 'decline', ...(message !== null && { prompt: message }) };
  return { kind: 'reject', ...(message !== null && { feedback: message }) };
}
