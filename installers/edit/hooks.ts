// The text of a settings file with our hooks in it, or without them. Pure: text in, text out.
import { type Edit, type Node, applyEdits, getNodeValue } from 'jsonc-parser';
import { UserError } from '../../src/model/errors.ts';
import { isDeepStrictEqual } from 'node:util';
import { type Document, parseDocument, position } from './document.ts';
import { type HookEntry, type HooksShape, entriesOf } from './entries.ts';
import { insertElement, insertProperties } from './insert.ts';
import { removeChild } from './remove.ts';
import { descend, valueAt } from './tree.ts';

/** The entry wanted for one event. */
export interface WantedEntry {
  readonly event: string;
  readonly entry: Readonly<Record<string, unknown>>;
  /** Of its group. */
  readonly matcher?: string;
}

/** Recognises our own command lines, older ones too. */
export type IsOurs = (command: string) => boolean;

/** Exactly `wanted` of ours in the file, everybody else's kept; the same text when nothing has to change. */
export function withHooks(doc: Document, shape: HooksShape, wanted: readonly WantedEntry[], isOurs: IsOurs): Document {
  const tidy = withoutEntries(doc, shape, (ours) => stale(ours, wanted), isOurs);
  const fixed = withFixed(tidy, shape);
  refuseOddShapes(fixed, shape, wanted);
  const ours = entriesOf(fixed.root, shape).filter((entry) => isOurs(entry.command));
  const { node: hooks, rest } = descend(fixed.root, shape.hooksPath);
  const missing: WantedEntry[] = [];
  const edits: Edit[] = [];
  for (const want of wanted) {
    const mine = ours.find((entry) => entry.event === want.event);
    const list = rest.length === 0 ? valueAt(hooks, want.event) : undefined;
    if (mine) edits.push(...update(fixed, mine.node, want.entry));
    else if (list) edits.push(...insertElement(fixed, list, element(shape, want)));
    else missing.push(want);
  }
  if (missing.length > 0) {
    const added = missing.map((want) => [want.event, [element(shape, want)]] as const);
    const [key, ...deeper] = rest;
    const value = deeper.reduceRight<unknown>((inner, name) => ({ [name]: inner }), Object.fromEntries(added));
    edits.push(...insertProperties(fixed, hooks, key === undefined ? added : [[key, value]]));
  }
  return apply(fixed, edits);
}

/** None of ours in the file; lists, groups and objects that are left empty by that go too. */
export function withoutHooks(doc: Document, shape: HooksShape, isOurs: IsOurs): Document {
  return withoutEntries(doc, shape, (ours) => ours, isOurs);
}

/** Ours that are not wanted: a second one for an event, one the client does not see, one for other tools, an event not wanted (any more). */
function stale(ours: readonly HookEntry[], wanted: readonly WantedEntry[]): HookEntry[] {
  const kept = new Set<string>();
  return ours.filter((entry) => {
    const want = wanted.find(({ event }) => event === entry.event);
    const isFor = want !== undefined && (want.matcher === undefined || want.matcher === entry.matcher);
    const keep = entry.counts && !kept.has(entry.event) && isFor;
    if (keep) kept.add(entry.event);
    return !keep;
  });
}

function withoutEntries(
  doc: Document,
  shape: HooksShape,
  choose: (ours: HookEntry[]) => HookEntry[],
  isOurs: IsOurs,
): Document {
  let now = doc;
  for (;;) {
    const next = choose(entriesOf(now.root, shape).filter((entry) => isOurs(entry.command))).at(-1);
    if (!next) return now;
    const child = widest(next.node);
    const container = child.parent;
    if (!container) return now; // the root itself: it is kept, as `{}`
    now = apply(now, removeChild(now.text, container, child));
  }
}

/** The outermost node that holds nothing but this entry: its group, list and property, as far as they have no other content. */
function widest(entry: Node): Node {
  let node = entry;
  for (;;) {
    const parent = node.parent;
    if (!parent) return node;
    const alone =
      parent.type === 'property' || // a property goes with its value
      (parent.type === 'array' && parent.children?.length === 1) ||
      (parent.type === 'object' && parent.parent !== undefined && holdsOnly(parent, node));
    if (!alone) return node;
    node = parent;
  }
}

/** A group without its `hooks` is removed, whatever its matcher; another object only when it holds nothing else. */
function holdsOnly(object: Node, child: Node): boolean {
  if (object.children?.length === 1) return true;
  return object.parent?.type === 'array' && child.type === 'property' && child.children?.[0]?.value === 'hooks';
}

function withFixed(doc: Document, shape: HooksShape): Document {
  const lacking = Object.entries(shape.requiredKeys).filter(([key]) => valueAt(doc.root, key) === undefined);
  return lacking.length === 0 ? doc : apply(doc, insertProperties(doc, doc.root, lacking));
}

function refuseOddShapes(doc: Document, shape: HooksShape, wanted: readonly WantedEntry[]): void {
  const refuse = (node: Node, name: string, form: string): never => {
    throw new UserError(
      `${doc.file} (${position(doc.text, node.offset)}): ${name} is not ${form}: correct it, then try again (nothing was changed)`,
    );
  };
  let node = doc.root;
  for (const key of shape.hooksPath) {
    const next = valueAt(node, key);
    if (!next) return;
    if (next.type !== 'object') refuse(next, `"${key}"`, 'an object');
    node = next;
  }
  for (const { event } of wanted) {
    const list = valueAt(node, event);
    if (list && list.type !== 'array') refuse(list, `"${event}"`, 'a list');
  }
}

/** What stands in the event's list. */
export function element(shape: Pick<HooksShape, 'nested'>, { entry, matcher }: WantedEntry): unknown {
  if (!shape.nested) return entry;
  return matcher === undefined ? { hooks: [entry] } : { matcher, hooks: [entry] };
}

function update(doc: Document, node: Node, entry: Readonly<Record<string, unknown>>): Edit[] {
  const lacking: [string, unknown][] = [];
  const edits: Edit[] = [];
  for (const [key, value] of Object.entries(entry)) {
    const old = valueAt(node, key);
    if (!old) lacking.push([key, value]);
    else if (!isDeepStrictEqual(getNodeValue(old), value))
      edits.push({ offset: old.offset, length: old.length, content: JSON.stringify(value) });
  }
  return lacking.length === 0 ? edits : [...edits, ...insertProperties(doc, node, lacking)];
}

function apply(doc: Document, edits: readonly Edit[]): Document {
  if (edits.length === 0) return doc;
  return parseDocument(doc.file, applyEdits(doc.text, [...edits]), doc.bom);
}
