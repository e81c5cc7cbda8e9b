// The tool that a local model calls for what somebody said: "touch NAME", "ask me", or none but a text. Each client has its own forms.
import type { WantedTool } from './model/protocol.ts';
import { codex } from './real/codex.ts';
import { qwen } from './real/qwen.ts';

/** What "ask me" makes an agent ask. */
export const QUESTION = 'Which colour should the button have?';
const OPTIONS = [
  { label: 'Blue', description: 'A calm blue' },
  { label: 'Red', description: 'A strong red' },
];
const COLOUR = { header: 'Colour', question: QUESTION, options: OPTIONS };

export function claudeTool(text: string): WantedTool | null {
  const name = /(?:^|: )touch (\S+)/m.exec(text)?.[1];
  if (name) return { name: 'Bash', input: { command: `touch ${name}`, description: 'Create a file' } };
  // In plan mode it is told of the file, and may write there.
  const plan = /(\/\S+\/plans\/[\w-]+\.md)/.exec(text)?.[1];
  if (/^write the plan/m.test(text) && plan)
    return { name: 'Write', input: { file_path: plan, content: '# The plan\n1. touch first.txt\n' } };
  if (/^show the plan/m.test(text)) return { name: 'ExitPlanMode', input: {} };
  if (!/^ask me/m.test(text)) return null;
  return { name: 'AskUserQuestion', input: { questions: [{ ...COLOUR, multiSelect: false }] } };
}

export function codexTool(text: string): WantedTool | null {
  const name = /^touch (\S+)/m.exec(text)?.[1];
  if (name) return { ...codex.touch, input: { ...codex.touch.input, cmd: `touch ${name}` } };
  if (!/^ask me/m.test(text)) return null;
  return { name: 'request_user_input', input: { questions: [{ id: 'colour', ...COLOUR }] } };
}

export function opencodeTool(text: string): WantedTool | null {
  const name = /touch (\S+)/.exec(text)?.[1];
  if (name) return { name: 'bash', input: { command: `touch ${name}`, description: 'Create a file' } };
  return /ask me/.test(text) ? { name: 'question', input: { questions: [COLOUR] } } : null;
}

export function copilotTool(text: string): WantedTool | null {
  const name = /touch (\S+)/.exec(text)?.[1];
  if (name) return { name: 'bash', input: { command: `touch ${name}`, description: 'Create a file' } };
  if (!/ask me/.test(text)) return null;
  const choices = OPTIONS.map(({ label }) => label);
  const schema = { properties: { colour: { type: 'string', title: 'Colour', enum: choices } } };
  return { name: 'ask_user', input: { message: QUESTION, requestedSchema: schema, question: QUESTION, choices } };
}

/** It asks nothing but permissions. */
export function qwenTool(text: string): WantedTool | null {
  const name = /^touch (\S+)/m.exec(text)?.[1];
  return name ? { ...qwen.touch, input: { ...qwen.touch.input, command: `touch ${name}` } } : null;
}
