// `belfry routes show`: first match wins, so the routes are one path with exits.
import { loadInitial } from '../../../config/live/initial-load.ts';
import type { ConfigFiles } from '../../../config/machine/machine-config.ts';
import type { Config, Route } from '../../../model/settings/config.ts';
import { joinAnd, oneLine } from '../../../lib/text/text.ts';
import { durationSetting } from '../../../model/quantities.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Io } from '../../io.ts';
import { longLists, matchWords } from './route-words.ts';
import { painter } from '../../output/table-output.ts';
import { wrap } from '../../output/wrap.ts';

/** Prints them, or one document. */
export async function show(io: Io): Promise<void> {
  const paths = resolveOwnPaths();
  await showRoutes(io, paths);
}

/** The same of files anywhere. */
export async function showRoutes(io: Io, files: ConfigFiles): Promise<void> {
  const { config, origin, machine, leftOut } = await loadInitial(files, false, Date.now());
  if (io.json)
    return io.data({ file: files.config, origin, routes: config.routes.map(routeJson), unrouted: unrouted(config) });
  for (const text of leftOut) io.note(`left out: ${text}`);
  const paint = await painter(io);
  if (config.routes.length === 0) return io.note('no routes: events are stored and sent to nobody');
  if (origin === 'defaults' && machine.config === null)
    io.note('These are the built-in routes: the settings file has none.');
  const width = Math.max(20, io.columns - 4);
  config.routes.forEach((route, index) => {
    const last = index === config.routes.length - 1;
    const bar = last ? ' ' : '│';
    const all = config.routes.slice(0, index).every(({ also }) => also) ? 'every event' : 'every other event';
    const [first = '', ...more] = wrap(oneLine(matchWords(route, all)), width);
    io.line(`${last ? '└' : '├'}─ ${index + 1} ${first}`);
    for (const line of more) io.line(`${bar}    ${line}`);
    const to = route.to.length === 0 ? 'nobody' : route.to.join(', ');
    io.line(`${bar}    ${paint('good', `→ ${oneLine(to)}`)}${route.also ? ', and on to the next route' : ''}`);
    const from = route.machine ? [`from ${machine.file}, for the whole machine`] : [];
    for (const text of [...longLists(route), ...settingLines(route), ...from])
      for (const line of wrap(oneLine(text), width - 2)) io.line(`${bar}      ${paint('dim', line)}`);
  });
  const left = unrouted(config);
  if (left.length > 0) io.note(`No route names ${joinAnd(left)}: only tests and notices of failing channels go there.`);
}

/** As it is written in config.toml; numbers are durations. */
const settingText = (value: unknown): string =>
  typeof value === 'number'
    ? durationSetting(value)
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, (key, inner: unknown) => (key === 'after' ? durationSetting(Number(inner)) : inner));

/** What else a route says, one line a setting. */
function settingLines(route: Route): string[] {
  const { match: _match, to: _to, also: _also, machine: _machine, ...rest } = route;
  return Object.entries(rest)
    .filter(([key, value]) => value !== undefined && value !== null && !(key === 'when' && value === 'always'))
    .map(([key, value]) => oneLine(`${key}: ${settingText(value)}`));
}

/** Channels that no route names. */
const unrouted = ({ channels, routes }: Config): readonly string[] =>
  channels.map(({ name }) => name).filter((name) => routes.every(({ to }) => !to.includes(name)));

const routeJson = (route: Route, index: number): Record<string, unknown> => ({
  route: index + 1,
  ...route,
  match: route.match ?? {},
  machine: route.machine ?? false,
});
