// One route of the rules as a form shows it, and the text with a change of it: everything else stays as it is written.
import { parse } from 'smol-toml';
import { asObject } from '../../lib/json/json.ts';
import { editSetting, unsetSetting } from '../toml/edit-setting.ts';
import { inlineToml } from '../toml/inline-toml.ts';
import { tomlNodes } from '../toml/toml-nodes.ts';

/** What a form shows of a route. */
export interface RouteFields {
  /** From 1. */
  readonly route: number;
  readonly to: string[];
  readonly when: string;
  /** Empty: none. */
  readonly delay: string;
  /** Empty: any. */
  readonly urgency: string[];
  readonly projects: string[];
}

/** A change; what is left away stays. */
export type RouteEdit = Pick<RouteFields, 'route'> & {
  readonly [K in Exclude<keyof RouteFields, 'route'>]?: RouteFields[K] | undefined;
};

const texts = (value: unknown): string[] => [value].flat().filter((one) => typeof one === 'string');
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** None where the text does not parse. */
export function routeFields(rules: string): RouteFields[] {
  let routes: unknown;
  try {
    ({ routes } = parse(rules));
  } catch {
    return []; // whoever checks the text says so
  }
  if (!Array.isArray(routes)) return [];
  return routes.map((route: unknown, i) => {
    const { to, when, delay, match } = asObject(route);
    const { urgency, project } = asObject(match);
    const own = { to: texts(to), when: textOf(when) || 'always', delay: textOf(delay) };
    return { route: i + 1, ...own, urgency: texts(urgency), projects: texts(project) };
  });
}

/** The text with the change, or why it cannot be made there. The text must parse. */
export async function editRoute(rules: string, edit: RouteEdit): Promise<{ text: string } | { refused: string }> {
  const { route, to, when, delay, urgency, projects } = edit;
  const at = ['routes', route - 1] as const;
  if (!(await tomlNodes(rules)).some(({ path }) => isAt(path, at)))
    return { refused: `there is no route ${route}: it was taken out meanwhile` };
  const steps: readonly { readonly path: readonly (string | number)[]; readonly value: unknown }[] = [
    ...(to === undefined ? [] : [{ path: [...at, 'to'], value: to }]),
    ...(when === undefined ? [] : [{ path: [...at, 'when'], value: when === 'always' ? null : when }]),
    ...(delay === undefined ? [] : [{ path: [...at, 'delay'], value: delay.trim() === '' ? null : delay.trim() }]),
    ...(urgency === undefined ? [] : [{ path: [...at, 'match', 'urgency'], value: oneOrMore(urgency) }]),
    ...(projects === undefined ? [] : [{ path: [...at, 'match', 'project'], value: oneOrMore(projects) }]),
  ];
  let text = rules;
  for (const { path, value } of steps) {
    const changed = value === null ? await without(text, path) : await withValue(text, path, value);
    if (changed === null)
      return {
        refused: `${String(path.at(-1))} of route ${route} is written in a form that cannot be changed here: change the text`,
      };
    text = changed;
  }
  return { text };
}

const oneOrMore = ([first, ...rest]: readonly string[]): unknown =>
  first === undefined ? null : rest.length === 0 ? first : [first, ...rest];

const isAt = (path: readonly PropertyKey[], wanted: readonly PropertyKey[]): boolean =>
  path.length === wanted.length && path.every((part, i) => part === wanted[i]);

/** A list of conditions that is not there is made; null: it cannot be. */
async function withValue(text: string, path: readonly (string | number)[], value: unknown): Promise<string | null> {
  const edited = await editSetting(text, path, inlineToml(value));
  if ('text' in edited) return edited.text;
  const above = path.slice(0, -1);
  const key = String(path.at(-1));
  const isThere = (await tomlNodes(text)).some((node) => isAt(node.path.slice(0, above.length), above));
  if (isThere || above.at(-1) !== 'match') return null;
  const made = await editSetting(text, above, inlineToml({ [key]: value }));
  return 'text' in made ? made.text : null;
}

/** Conditions of which none is left go with the last. */
async function without(text: string, path: readonly (string | number)[]): Promise<string> {
  const left = await unsetSetting(text, path);
  const above = path.slice(0, -1);
  const isEmpty = (await tomlNodes(left)).some((node) => node.kind === 'value' && node.empty && isAt(node.path, above));
  return isEmpty && above.at(-1) === 'match' ? unsetSetting(left, above) : left;
}
