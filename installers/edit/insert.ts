// Edits that add to an object or a list of a JSON text, in the text's own style, without moving anybody's comments.
import type { Edit, Node } from 'jsonc-parser';
import { type Document, indentBefore, lineIndent } from './document.ts';
import { commaAfter, pastSameLine } from './trivia.ts';

/** Adds properties at the end of an object. */
export function insertProperties(
  doc: Document,
  object: Node,
  entries: readonly (readonly [string, unknown])[],
): Edit[] {
  return insert(doc, object, (indent) =>
    entries.map(([key, value]) => `${JSON.stringify(key)}:${doc.compact ? '' : ' '}${render(doc, value, indent)}`),
  );
}

/** Adds an element at the end of a list. */
export function insertElement(doc: Document, list: Node, value: unknown): Edit[] {
  return insert(doc, list, (indent) => [render(doc, value, indent)]);
}

function render(doc: Document, value: unknown, indent: string): string {
  if (doc.compact) return JSON.stringify(value);
  return JSON.stringify(value, null, doc.unit).replaceAll('\n', doc.eol + indent);
}

function insert(doc: Document, container: Node, items: (indent: string) => string[]): Edit[] {
  const { text, eol } = doc;
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  if (!last) {
    const outer = lineIndent(text, container.offset);
    const indent = outer + doc.unit;
    const { at } = pastSameLine(text, container.offset + 1, close);
    const lead = doc.compact ? '' : eol + indent;
    const tail = doc.compact || text.slice(at, close).includes('\n') ? '' : eol + outer;
    return [{ offset: at, length: 0, content: lead + items(indent).join(`,${lead}`) + tail }];
  }
  const end = last.offset + last.length;
  const comma = commaAfter(text, end, close);
  const first = container.children?.[0] ?? last;
  const own = indentBefore(text, first.offset);
  const after = pastSameLine(text, comma === null ? end : comma + 1, close);
  const indent = own ?? lineIndent(text, first.offset);
  const lead = own !== null || after.line ? eol + indent : doc.compact ? '' : ' ';
  const content = lead + items(indent).join(`,${lead}`) + (comma === null ? '' : ',');
  const separator: Edit[] = comma === null ? [{ offset: end, length: 0, content: ',' }] : [];
  return [...separator, { offset: after.at, length: 0, content }];
}
