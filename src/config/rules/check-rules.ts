// Whether a text may take the place of the rules of config.toml, and what the file and the settings are then.
import { asObject, type JsonObject } from '../../lib/json/json.ts';
import type { Config } from '../../model/settings/config.ts';
import { configWarnings } from '../checks/semantic-checks.ts';
import type { Diagnostic, Issue } from '../diagnostic.ts';
import { LARGEST_FILE } from '../load.ts';
import type { MachineConfig } from '../machine/machine-config.ts';
import { ignoredIssues, mergeConfig } from '../machine/merge-config.ts';
import type { Registries } from '../registries.ts';
import { validate } from '../schema.ts';
import { locate } from '../toml/key-positions.ts';
import { parseToml } from '../toml/parse-toml.ts';
import { isRuleSection, withRulesText } from './rules-text.ts';

/** Something wrong, or not meant, perhaps. */
export interface RuleNote {
  /** In the text of the rules, from 1; null: it is about the rest of the file. */
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

interface Refused {
  readonly ok: false;
  readonly errors: readonly RuleNote[];
}

/** The settings with these rules, or all that is wrong with them. */
export type CheckedRules =
  | {
      readonly ok: true;
      readonly config: Config;
      readonly warnings: readonly RuleNote[];
      /** Channels that run a program and that no route names any more: once saved, only config.toml can have one name them again. */
      readonly dropped: readonly string[];
    }
  | Refused;

/** The file's text with these rules, or why there is none. */
export type PlacedRules = { readonly ok: true; readonly text: string } | Refused;

/** Longest text of rules, in UTF-16 units. */
export const LONGEST_RULES = 100_000;

/** `file`: the text of config.toml as it is stored, without a byte order mark; empty: there is none. `machine`: what it is laid over. */
export async function checkRules(
  file: string,
  rules: string,
  registries: Registries,
  machine: MachineConfig | null = null,
): Promise<CheckedRules> {
  if (rules.length > LONGEST_RULES) return refused(`the rules are longer than ${LONGEST_RULES} characters`);
  const stored = parseToml(file);
  if ('error' in stored) {
    const { line, message } = stored.error;
    return refused(`config.toml is broken on line ${line}: ${message}; correct that first with \`belfry config edit\``);
  }
  const given = parseToml(rules);
  if ('error' in given) return { ok: false, errors: [noteOf(given.error)] };
  const foreign = foreignSections(given.input);
  if (foreign.length > 0) return { ok: false, errors: (await locate(rules, foreign)).map(noteOf) };
  const others = Object.entries(stored.input).filter(([name]) => !isRuleSection(name));
  const merged = mergeConfig({ ...Object.fromEntries(others), ...given.input }, machine);
  const before = mergeConfig(stored.input, machine).input;
  const { input, keepsDefaults, placeOf } = merged;
  const { config, found } = validate(input, registries, { keepsDefaults });
  const issues = [...(found ?? []), ...programsNamed(input, before, registries)];
  const placed = (some: readonly Issue[]): Written[] => some.map((issue) => ({ ...issue, ...placeOf(issue.path) }));
  if (config === null || issues.length > 0)
    return { ok: false, errors: await notesOf(placed(issues), { file, rules, machine }) };
  const doubts = configWarnings(config, registries, !keepsDefaults).filter((issue) => concernsRules(issue, before));
  const dropped = programsDropped(input, before, registries);
  const own = placed([...doubts, ...dropped.map(droppedIssue)]).filter(({ isMachine }) => !isMachine);
  const locked = ignoredIssues(merged, machine).filter(({ path }) => isRuleSection(path[0]));
  const warnings = [...own, ...locked.map((issue) => ({ ...issue, isMachine: false }))];
  return { ok: true, config, warnings: await notesOf(warnings, { file, rules, machine }), dropped };
}

/** Puts rules that were checked into the file. It takes longer than the check: only for what is to be written. */
export async function placeRules(file: string, rules: string): Promise<PlacedRules> {
  const text = await withRulesText(file, rules);
  if (text === null)
    return refused(
      'config.toml has its rules in a form that nothing can be put in place of: write [quiet] and [messages] as tables, or use `belfry config edit`',
    );
  if (Buffer.byteLength(text) > LARGEST_FILE) return refused(`config.toml would be larger than ${LARGEST_FILE} bytes`);
  return { ok: true, text };
}

const refused = (message: string): Refused => ({ ok: false, errors: [{ line: null, column: null, message }] });

const noteOf = ({ line, column, key, message }: Diagnostic): RuleNote => ({
  line,
  column,
  message: key === '' ? message : `${key}: ${message}`,
});

/** What the rules say, or no longer say: that nothing is routed, or a channel that was. */
function concernsRules({ path: [section, name, ...below] }: Issue, stored: JsonObject): boolean {
  if (isRuleSection(section)) return true;
  if (section !== 'channels' || below.length > 0) return false;
  return name === undefined || namedChannels(stored).some((one) => one.name === name);
}

/** What is wrong, and in which file it is written. */
type Written = Issue & { readonly isMachine: boolean };

/** What is not in the rules says where it is. */
async function notesOf(
  issues: readonly Written[],
  texts: { readonly file: string; readonly rules: string; readonly machine: MachineConfig | null },
): Promise<readonly RuleNote[]> {
  const isOwn = ({ path: [section], isMachine }: Written): boolean => !isMachine && isRuleSection(section);
  const own = await locate(texts.rules, issues.filter(isOwn));
  const rest = issues.filter((issue) => !isOwn(issue));
  const among = async (text: string, name: string, isMachine: boolean): Promise<string[]> => {
    const found = await locate(
      text,
      rest.filter((issue) => issue.isMachine === isMachine),
    );
    return found.map(({ line, key, message }) => `${name}, line ${line}: ${key}: ${message}`);
  };
  const elsewhere = [
    ...(await among(texts.file, 'config.toml', false)),
    ...(await among(texts.machine?.text ?? '', texts.machine?.file ?? '', true)),
  ];
  return [...own.map(noteOf), ...elsewhere.map((message) => ({ line: null, column: null, message }))];
}

function foreignSections(input: JsonObject): readonly Issue[] {
  const message =
    'is no rule: only [[routes]], [quiet] and [messages] are changed here; use `belfry config edit` for anything else';
  return Object.keys(input)
    .filter((name) => !isRuleSection(name))
    .map((name) => ({ path: [name], point: 'key', message }));
}

/** Channels that routes name, each with where. */
function namedChannels(
  input: JsonObject,
): readonly { readonly name: unknown; readonly path: readonly PropertyKey[] }[] {
  const listed = (list: unknown, path: readonly PropertyKey[]) =>
    Array.isArray(list) ? list.map((name: unknown, i) => ({ name, path: [...path, i] })) : [];
  const { routes } = input;
  return (Array.isArray(routes) ? routes : []).flatMap((route: unknown, i) => {
    const { to, escalate } = asObject(route);
    const steps = Array.isArray(escalate) ? escalate : [];
    return [
      ...listed(to, ['routes', i, 'to']),
      ...steps.flatMap((step: unknown, j) => listed(asObject(step)['to'], ['routes', i, 'escalate', j, 'to'])),
    ];
  });
}

/** The channels that run a program, and those that the stored routes name. */
function programsOf(
  stored: JsonObject,
  { channels }: Registries,
): { readonly all: ReadonlySet<unknown>; readonly known: ReadonlySet<unknown> } {
  const runs = (type: unknown): boolean =>
    channels.some((channel) => channel.type === type && channel.runsProgram === true);
  const configured = Object.entries(asObject(stored['channels']));
  return {
    all: new Set(configured.filter(([, channel]) => runs(asObject(channel)['type'])).map(([name]) => name)),
    known: new Set(namedChannels(stored).map(({ name }) => name)),
  };
}

/** Channels that run a program and that the stored routes do not name: who has the page is not to start one that the file does not. */
function programsNamed(input: JsonObject, stored: JsonObject, registries: Registries): readonly Issue[] {
  const { all, known } = programsOf(stored, registries);
  return namedChannels(input)
    .filter(({ name }) => all.has(name) && !known.has(name))
    .map(({ name, path }) => ({
      path,
      point: 'value',
      message: `${String(name)} runs a program, which a route can begin to do in config.toml only: use \`belfry config edit\``,
    }));
}

/** Channels that run a program, that the stored routes name and these do not: once that is saved, no route can name them again from there. */
function programsDropped(input: JsonObject, stored: JsonObject, registries: Registries): readonly string[] {
  const { all, known } = programsOf(stored, registries);
  const named = new Set(namedChannels(input).map(({ name }) => name));
  return [...all].flatMap((name) => (typeof name === 'string' && known.has(name) && !named.has(name) ? name : []));
}

const droppedIssue = (name: string): Issue => ({
  path: ['channels', name],
  point: 'key',
  message: 'it runs a program: once this is saved, only config.toml can have a route name it again',
});
