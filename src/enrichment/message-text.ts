// The text people and the assistant wrote: without tool output, hidden parts and what clients add to prompts.
import { isSyntheticPrompt } from '../lib/text/synthetic-prompt.ts';
import { cutAtSpace } from '../lib/text/text.ts';

/** Longest text kept of one message (UTF-16 units). */
const LONGEST = 16_000;

/** Parts that clients add to a prompt; people did not write them. */
const ADDED = ['system-reminder', 'environment_context', 'user_instructions'] as const;
/** A prompt that begins with a tag was made by the client: a task's notice, a command's output. */
const MADE_UP = /^<[a-z][a-z0-9_-]*[\s>]/;
const TEXT_TYPES: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);

/** The text blocks of a content, joined; empty when there are none. */
export function extractText(content: unknown): string {
  if (typeof content === 'string') return cutAtSpace(content, LONGEST);
  if (!Array.isArray(content)) return '';
  const texts: string[] = [];
  for (const block of content as readonly unknown[]) {
    if (typeof block !== 'object' || block === null || !('text' in block) || typeof block.text !== 'string') continue;
    if ('type' in block && !TEXT_TYPES.has(block.type)) continue;
    texts.push(block.text);
  }
  return cutAtSpace(texts.join('\n'), LONGEST);
}

/** The user's request in a text; null when the client wrote it. */
export function userRequest(text: string): string | null {
  const own = ADDED.reduce(without, text).trim();
  return own === '' || MADE_UP.test(own) || isSyntheticPrompt(own) ? null : own;
}

/** A text without the parts in a tag. By search, not by an expression: that would search for the end again from each tag that has none. */
function without(text: string, tag: string): string {
  let rest = '';
  let at = 0;
  for (let start = text.indexOf(`<${tag}>`); start !== -1; start = text.indexOf(`<${tag}>`, at)) {
    const end = text.indexOf(`</${tag}>`, start);
    if (end === -1) break;
    rest += text.slice(at, start);
    at = end + tag.length + 3;
  }
  return rest + text.slice(at);
}

/** Role and text when it is something said by user or assistant; else null. */
export function toMessage(role: unknown, content: unknown): { role: 'user' | 'assistant'; text: string } | null {
  if (role !== 'user' && role !== 'assistant') return null;
  const text = extractText(content).trim();
  const said = role === 'user' ? userRequest(text) : text;
  return said === null || said === '' ? null : { role, text: said };
}
