// Of one's own file, valid once, what can be in force over the machine's file as it is now: channels that it names there may be gone.
import { asObject, type JsonObject } from '../../lib/json/json.ts';
import type { Config } from '../../model/settings/config.ts';
import { unknownTargets } from '../checks/semantic-checks.ts';
import type { Issue } from '../diagnostic.ts';
import type { Registries } from '../registries.ts';
import { validate } from '../schema.ts';
import type { MachineConfig } from './machine-config.ts';
import { mergeConfig, type MergedConfig, valueAt, without } from './merge-config.ts';

type Path = readonly PropertyKey[];

/** What is in force, and what of one's own file is not, with its path there. */
export interface Remains {
  readonly config: Config;
  readonly merged: MergedConfig;
  readonly leftOut: readonly LeftOut[];
}

/** `emptied`: of a route whose events go on to the next. */
interface LeftOut extends Issue {
  readonly emptied?: boolean;
}

/** More would be a fault of the machine's file alone. */
const ROUNDS = 20;

/** The machine's settings and locks count whatever becomes of one's own. Null: not even they are valid. */
export function remainsOf(given: JsonObject, machine: MachineConfig | null, registries: Registries): Remains | null {
  const leftOut: LeftOut[] = [];
  let own = given;
  for (let round = 0; ; round++) {
    const merged = mergeConfig(own, machine);
    // Many a machine has no desktop.
    const isEmptied = leftOut.some(({ emptied }) => emptied);
    const { config, found } = validate(merged.input, registries, {
      keepsDefaults: merged.keepsDefaults,
      ...(isEmptied && { takesEmptied: Object.keys(asObject(own['channels'])) }),
      machineFile: machine?.file,
    });
    if (config !== null) return { config, merged, leftOut };
    if (Object.keys(own).length === 0) return null;
    const gone = unknownTargets(merged.input, machine?.file);
    const issues = (gone.length > 0 ? gone : found).map((issue) => ({
      ...issue,
      path: merged.placeOf(issue.path).path,
    }));
    leftOut.push(...issues.map((issue) => ({ ...issue, emptied: gone.length === 0 && issue.path[0] === 'routes' })));
    if (round >= ROUNDS) own = {};
    else if (gone.length > 0) own = withoutTargets(own, issues, channelsOf(merged.input), leftOut);
    else own = issues.reduce((rest, { path }) => withoutFault(rest, path), own);
  }
}

/** Valid in itself but for channels that other files may have. */
export function isSound(own: JsonObject, registries: Registries): boolean {
  const { found } = validate(own, registries);
  return found === null || found.length === unknownTargets(own).length;
}

const channelsOf = (input: JsonObject): ReadonlySet<unknown> => new Set(Object.keys(asObject(input['channels'])));

/** Without channels that are not there, where `issues` say so; adds to `said` what becomes of their routes. */
function withoutTargets(
  own: JsonObject,
  issues: readonly Issue[],
  known: ReadonlySet<unknown>,
  said: LeftOut[],
): JsonObject {
  const present = (targets: unknown): unknown =>
    Array.isArray(targets) ? targets.filter((one) => typeof one !== 'string' || known.has(one)) : targets;
  const route = (given: unknown, index: number): JsonObject => {
    const { to, escalate, ...rest } = asObject(given);
    const left = present(to);
    const steps = (Array.isArray(escalate) ? escalate : [])
      .map((step): JsonObject => ({ ...asObject(step), to: present(asObject(step)['to']) }))
      .filter(({ to: targets }) => !isEmpty(targets));
    const staying = { ...rest, to: left, ...(escalate !== undefined && { escalate: steps }) };
    if (!isEmpty(left) || isEmpty(to)) return staying;
    const [next, ...later] = steps;
    said.push(next ? promoted(index) : emptied(index));
    return next ? { ...staying, to: next['to'], escalate: later } : passing(given);
  };
  const hit = new Set(issues.map(({ path }) => (path[0] === 'routes' ? path[1] : path[0])));
  const { routes } = own;
  const less: Record<string, unknown> = { ...own };
  if (Array.isArray(routes)) less['routes'] = routes.map((one, i) => (hit.has(i) ? route(one, i) : one));
  for (const name of ['quiet', 'answer'].filter((section) => hit.has(section)))
    less[name] = { ...asObject(own[name]), channels: present(asObject(own[name])['channels']) };
  return less;
}

const promoted = (index: number): LeftOut => ({
  path: ['routes', index],
  point: 'key',
  message: 'has no channel left but that of a later step, which gets it at once',
});

const emptied = (index: number): LeftOut => ({
  path: ['routes', index],
  point: 'key',
  message:
    'has no channel left, so what it takes goes on to the next routes, and at last to your own channels and the built-in ones',
  emptied: true,
});

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** In its place, so that the others keep their numbers: it says that events go on. */
function passing(route: unknown): JsonObject {
  const { match } = asObject(route);
  return { ...(match !== undefined && { match }), to: [], also: true };
}

/** Without the setting at the path, or the table that lacks it: a route, a channel and a list whole. */
function withoutFault(own: JsonObject, path: Path): JsonObject {
  const [section, index] = path;
  const { routes } = own;
  if (section === 'routes' && typeof index === 'number' && Array.isArray(routes))
    return { ...own, routes: routes.map((one, i) => (i === index ? { to: [], also: true } : one)) };
  const names = path.findIndex((part) => typeof part === 'number');
  const whole = path.slice(0, section === 'channels' ? 2 : names < 0 ? undefined : names).map(String);
  for (let depth = whole.length; depth > 0; depth--) {
    const there = whole.slice(0, depth);
    if (valueAt(own, there) !== undefined) return without(own, there);
  }
  return {};
}
