// Templates of `[messages]`: text with fields in braces, of a closed set for each kind of event.
import type { Kind } from '../event/event.ts';

/** What every kind has. */
const COMMON = [
  'title',
  'body',
  'message',
  'project',
  'branch',
  'agent',
  'host',
  'user',
  'session',
  'cwd',
  'detail',
  'urgency',
  'count',
] as const;

const OWN = {
  'agent.waiting': ['tool', 'command'],
  'agent.finished': ['duration', 'answer', 'request'],
  'subagent.finished': ['duration', 'subagent'],
  'session.ended': ['duration', 'reason', 'answer', 'request'],
  'session.failed': ['duration', 'reason', 'answer', 'request'],
  'agent.other': ['event'],
} as const satisfies Partial<Record<Kind, readonly string[]>>;

export type TemplateField = (typeof COMMON)[number] | (typeof OWN)[keyof typeof OWN][number];

/** The fields that a template of this kind may name. */
export function templateFields(kind: Kind): readonly TemplateField[] {
  return [...COMMON, ...((OWN as Partial<Record<Kind, readonly TemplateField[]>>)[kind] ?? [])];
}

/** A piece of a template; of a `group`, in parentheses, nothing is shown when all fields in it are unknown. */
export type TemplatePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'group'; readonly parts: readonly TemplatePart[] };

/** Longest template, UTF-16 units. */
export const LONGEST_TEMPLATE = 1_000;
const PIECE = /\{\{|\}\}|\{([^{}]*)\}|[{}()]|[^{}()]+/g;

/** The template's pieces, or what is wrong with it, as the end of a sentence. `{{` and `}}` are braces. */
export function parseTemplate(template: string): readonly TemplatePart[] | { readonly fault: string } {
  if (template.trim() === '') return { fault: 'must not be empty' };
  if (template.length > LONGEST_TEMPLATE) return { fault: `must have at most ${LONGEST_TEMPLATE} characters` };
  const outer: TemplatePart[] = [];
  let group: TemplatePart[] | null = null;
  for (const [piece, name] of template.matchAll(PIECE)) {
    const at: TemplatePart[] = group ?? outer;
    if (name !== undefined) {
      if (!/^[a-z_]+$/.test(name)) return { fault: `"${piece}" is no field; write {{ and }} for braces` };
      at.push({ type: 'field', name });
    } else if (piece === '{' || piece === '}')
      return { fault: `"${piece}" has no counterpart; write ${piece}${piece} for a brace` };
    else if (piece === '(' && group === null) group = [];
    else if (piece === ')' && group !== null) {
      outer.push({ type: 'group', parts: group });
      group = null;
    } else at.push({ type: 'text', text: piece === '{{' ? '{' : piece === '}}' ? '}' : piece });
  }
  // One that is not closed is text.
  return group === null ? outer : [...outer, { type: 'text', text: '(' }, ...group];
}

/** The names of its fields. */
export function fieldsOf(parts: readonly TemplatePart[]): readonly string[] {
  return parts.flatMap((part) =>
    part.type === 'field' ? [part.name] : part.type === 'group' ? fieldsOf(part.parts) : [],
  );
}

/** Values by field; null: not known. */
export type TemplateValues = Readonly<Partial<Record<string, string | null>>>;

/** The text with its values, which stay what they are: braces in them name no fields. A template that does not parse is shown as it is. */
export function fillTemplate(template: string, values: TemplateValues): string {
  const parts = parseTemplate(template);
  if ('fault' in parts) return template;
  return fill(parts, values).trim();
}

/** A word that leads to a field and says nothing without it: "done in". */
const LEADING_WORD = /(?:^|\s)(?:after|at|by|for|from|in|of|on|to|with)$/i;
/** Signs that lead to one, or follow it: "payments: ", "on main ·". */
const SIGN = /[\s:;,·–—-]/;
/** Those that would follow it, where nothing is before. */
const FOLLOWS = /^[\s:;,·–—-]+/;

/** A text without what leads to the field behind it. */
function withoutLead(text: string): string {
  let end = text.length;
  while (end > 0 && SIGN.test(text.charAt(end - 1))) end--;
  return text.slice(0, end).replace(LEADING_WORD, '');
}

/** A field that is not known takes with it the word and the signs of the template that lead to it. */
function fill(parts: readonly TemplatePart[], values: TemplateValues): string {
  let text = '';
  let isMissing = false;
  for (const [i, part] of parts.entries()) {
    if (part.type === 'text') {
      const isLost = isLostField(parts[i + 1], values);
      const own = isMissing && text === '' ? part.text.replace(FOLLOWS, '') : part.text;
      text += isLost ? withoutLead(own) : own;
    } else if (part.type === 'field') {
      isMissing ||= isLostField(part, values);
      text += values[part.name] ?? '';
    } else if (isShown(part.parts, values)) text += `(${fill(part.parts, values)})`;
    else text = text.trimEnd();
  }
  return text;
}

const isLostField = (part: TemplatePart | undefined, values: TemplateValues): boolean =>
  part?.type === 'field' && (values[part.name] ?? '') === '';

/** Parentheses without any field are the writer's own. */
function isShown(parts: readonly TemplatePart[], values: TemplateValues): boolean {
  const fields = fieldsOf(parts);
  return fields.length === 0 || fields.some((name) => (values[name] ?? '') !== '');
}
