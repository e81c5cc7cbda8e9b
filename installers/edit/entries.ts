// Finds hook entries in a settings tree: whose they are, and where they are.
import type { Node } from 'jsonc-parser';
import { everyAt, valueAt } from './tree.ts';

/** How a client writes hooks in JSON. */
export interface HooksShape {
  /** Path of the object keyed by event name. */
  readonly hooksPath: readonly string[];
  /** Entries are in groups: `[{hooks: [entry]}]`; otherwise directly in the event's list. */
  readonly nested: boolean;
  /** Key of an entry that holds the command line. */
  readonly commandKey: string;
  /** Other keys the file has to have. */
  readonly requiredKeys: Readonly<Record<string, unknown>>;
}

/** One entry with a command line. */
export interface HookEntry {
  readonly event: string;
  readonly node: Node;
  readonly command: string;
  /** Of its group; null: none. */
  readonly matcher: string | null;
  /** False when a later key of the same name hides it from the client. */
  readonly counts: boolean;
}

/** All entries with a command, shadowed ones too, in the order of the text. What has another form is ignored. */
export function entriesOf(root: Node, shape: HooksShape): HookEntry[] {
  return everyAt(root, shape.hooksPath).flatMap(({ node, counts }) => {
    if (node.type !== 'object') return [];
    const last = new Map<unknown, Node>();
    for (const property of node.children ?? []) last.set(property.children?.[0]?.value, property);
    return (node.children ?? []).flatMap((property) => {
      const event = String(property.children?.[0]?.value);
      const holds = counts && last.get(event) === property;
      return inList(property.children?.[1], shape).map((entry) => ({ ...entry, event, counts: holds }));
    });
  });
}

function inList(list: Node | undefined, shape: HooksShape): Pick<HookEntry, 'node' | 'command' | 'matcher'>[] {
  const items = elements(list);
  if (!shape.nested) return items.flatMap((node) => withCommand(node, null, shape));
  return items.flatMap((group) => {
    if (group.type !== 'object') return [];
    const matcher: unknown = valueAt(group, 'matcher')?.value;
    return elements(valueAt(group, 'hooks')).flatMap((node) =>
      withCommand(node, typeof matcher === 'string' ? matcher : null, shape),
    );
  });
}

function withCommand(node: Node, matcher: string | null, shape: HooksShape) {
  const command: unknown = node.type === 'object' ? valueAt(node, shape.commandKey)?.value : undefined;
  return typeof command === 'string' ? [{ node, command, matcher }] : [];
}

function elements(node: Node | undefined): readonly Node[] {
  return node?.type === 'array' ? (node.children ?? []) : [];
}
