// Doctor: the hooks in each agent's settings: installed, of this version, seen by the client, trusted, last event.
import { existsSync, readFileSync } from 'node:fs';
import {
  type ClientVersion,
  clientVersion,
  dependsOnVersion,
  eventsFor,
  missedEvents,
  unknownVersionReason,
} from '../../../installers/client-version.ts';
import { answeringFor, withdrawalsOf } from '../../../installers/answer-entries.ts';
import { detectAgents } from '../../../installers/detect-agents.ts';
import { type OurEntry, findInstalled } from '../../../installers/find-installed.ts';
import { onPath } from '../../../installers/find-program.ts';
import { type InstalledPlugin, installedPlugin } from '../../../installers/installed-plugin.ts';
import { type SettingsPlaces, placesOf } from '../../../installers/settings-file.ts';
import { installHooks } from '../../../installers/install.ts';
import { ownTools } from '../../../installers/install-context.ts';
import { agents as registered } from '../../agents/index.ts';
import type { Agent, AgentEvent, Trust } from '../../model/agent/agent.ts';
import { UserError } from '../../model/errors.ts';
import { isAskCommand, isNotifyingCommand } from '../../runtime/hook-command.ts';
import { answersSwitchedOff } from '../commands/answer/switched-off.ts';
import { answeringFaults } from './shared/answering.ts';
import { ago } from '../options/times.ts';
import { defineCheck, type CheckResult, fail, ok, type DoctorContext, warn } from './check.ts';
import { stillSubmits } from './shared/installed-hooks.ts';
import type { Paths } from '../../runtime/paths.ts';

const NOTHING = 'no hooks are installed';

export const agentsCheck = defineCheck({
  name: 'agents',
  inspects: 'each agent on this machine: its settings, the hooks in them, trust, the last event received',
  fixes: [
    ['the settings file cannot be read', 'correct it at the line and column shown'],
    ['no hooks installed', '`belfry install AGENT`'],
    [
      '`belfry-hook`, which a plugin runs, is not on the PATH',
      'put its folder on the PATH, or run `belfry install AGENT`',
    ],
    ['outdated hooks: another version, install path or Node', '`belfry install AGENT`'],
    ['hooks that do nothing: their Node or their package is gone', '`belfry install AGENT`'],
    ['hooks missing for events that the client knows', '`belfry install AGENT`'],
    ["the client's version is unknown, so hooks were left out", 'make its program run, then `belfry install AGENT`'],
    ['the hooks are not what this version installs: events or limits of time differ', '`belfry install AGENT`'],
    ['a hook that another entry or file overrides', '`belfry install AGENT`'],
    ['[resume] is set, and answering is not installed', '`belfry install AGENT --answer`'],
    ['the client ignores the hooks', 'as shown, for example trust them the next time you start the client'],
  ],
  run: async (context) => {
    const here = detectAgents(registered, context.machine);
    if (here.length === 0)
      return [warn('no agent was found on this machine', 'install one, then run `belfry install AGENT`')];
    const last = await lastEvents(context.paths);
    const found = await Promise.all(here.map((agent) => one(agent, context, last)));
    // One agent without hooks may be intended; when none has any, no event can arrive.
    const none = found.flat().every(({ text }) => text.endsWith(NOTHING));
    if (!none) return found.flat();
    // Nobody has set anything up yet: one command does all of it.
    const all = (fix = '') => (context.configured ? fix : `run \`belfry setup\`; for this agent alone, ${fix}`);
    return found.flat().map(({ text, fix }) => fail(text, all(fix)));
  },
});

async function one(agent: Agent, context: DoctorContext, last: ReadonlyMap<string, number>): Promise<CheckResult[]> {
  const places = placesOf(agent, { level: 'user' }, context.machine);
  const tools = ownTools(context.paths, { form: 'fast', dryRun: true, shared: false });
  const fix = `run \`belfry install ${agent.name}\``;
  try {
    const found = await findInstalled(agent, places, tools.isOurs);
    // A module may do both.
    const entries = found.filter(({ command }) => isNotifyingCommand(command));
    const asks = found.filter(({ command }) => isAskCommand(command));
    const [first] = entries;
    const plugin = installedPlugin(agent, context.machine);
    const seen = last.get(agent.name);
    const when = seen === undefined ? 'no event received yet' : `last event ${ago(seen, context.now)}`;
    if (!first)
      return [plugin === null ? warn(`${agent.title}: ${NOTHING}`, fix) : asPlugin(agent, plugin, when, context)];
    const client = dependsOnVersion(agent) ? await clientVersion(agent, context.machine) : null;
    const faults = [
      ...(await aged(agent, entries, context, fix)),
      ...missing(agent, entries, client, fix),
      ...(await answeringFaults(agent, asks, context, tools)),
    ];
    const hidden = found.filter((entry) => !entry.counts);
    for (const { event, file } of hidden)
      faults.push(fail(`${agent.title}: ${event} in ${file} has no effect: another entry overrides it`, fix));
    const trust = trustOf(agent, places, context);
    if (trust?.trusted === false) faults.push(fail(`${agent.title}: the client ignores the hooks`, trust.fix));
    if (faults.length === 0) faults.push(...(await differing(agent, places, found, client, context)));
    const beside = plugin === null ? '' : ` also as ${plugin.an},`;
    return faults.length > 0
      ? faults
      : [
          ok(
            `${agent.title}: installed in ${first.file},${trust?.trusted ? ' trusted,' : ''}${asks.length > 0 ? canBeAnswered(agent, context) : ''}${beside} ${when}`,
          ),
        ];
  } catch (error) {
    if (error instanceof UserError) return [fail(`${agent.title}: ${error.message}`, `correct the file, then ${fix}`)];
    throw error;
  }
}

/** Its plugin alone, whose command is looked for where the client is started. */
function asPlugin({ title, name }: Agent, { an, file }: InstalledPlugin, when: string, { machine }: DoctorContext) {
  return onPath('belfry-hook', machine) === null
    ? fail(
        `${title}: as ${an}, by ${file}, it runs belfry-hook, which is not on the PATH`,
        `put the folder of \`belfry-hook\` on the PATH, or run \`belfry install ${name}\``,
      )
    : ok(`${title}: as ${an}, by ${file}, ${when}`);
}

function canBeAnswered({ answering }: Agent, { config, machineConfig }: DoctorContext): string {
  if (config !== null && answersSwitchedOff(config, machineConfig.config) !== null)
    return ' answers from elsewhere are switched off,';
  const when = answering?.inside?.needs?.when;
  return ` can be answered from elsewhere${when === undefined ? '' : ` ${when}`},`;
}

/** Entries that are not what `install` would write now. */
async function aged(
  agent: Agent,
  entries: readonly OurEntry[],
  context: DoctorContext,
  fix: string,
): Promise<CheckResult[]> {
  const current = (['fast', 'socket'] as const).map((form) => {
    const tools = ownTools(context.paths, { form, dryRun: true, shared: false });
    return (entry: OurEntry): string => {
      const events = [...agent.events, ...withdrawalsOf(agent)];
      const event = events.find(({ name }) => name === entry.event) ?? null;
      const line = tools.command(agent, event);
      const asker = isAskCommand(entry.command) ? tools.asker : undefined;
      return entry.event === null ? (agent.settings?.module?.(line, asker) ?? line) : line;
    };
  });
  const old = entries.filter((entry) => entry.counts && !current.some((make) => make(entry) === entry.command));
  if (old.length === 0) return [];
  const events = old.map(({ event }) => event ?? 'all events').join(', ');
  const runs = await stillSubmits(old[0]?.command ?? '', context);
  return runs
    ? [fail(`${agent.title}: outdated hooks (other version, install path or Node) for ${events}`, fix)]
    : [fail(`${agent.title}: the hooks for ${events} do nothing: their Node or their package is gone`, fix)];
}

function missing(agent: Agent, entries: readonly OurEntry[], client: ClientVersion | null, fix: string): CheckResult[] {
  if (agent.settings?.module) return [];
  const has = (name: string): boolean => entries.some((entry) => entry.event === name);
  const absent = eventsFor(agent, client?.version ?? null, true).filter(({ name }) => !has(name));
  const results = absent.length > 0 ? [fail(`${agent.title}: no hook for ${missedEvents(absent)}`, fix)] : [];
  if (!client || client.version !== null) return results;
  const left = agent.events.filter(({ name, since, missedWithout }) => since && missedWithout && !has(name));
  if (left.length === 0) return results;
  const why = unknownVersionReason(agent, client.why);
  const first = `make \`${agent.version?.join(' ') ?? agent.name}\` work in this shell`;
  return [
    ...results,
    warn(`${agent.title}: ${why}, so there is no hook for ${missedEvents(left)}`, `${first}, then ${fix}`),
  ];
}

/** Where all that has a name of its own is well: what `install` would still change, in the form and to the extent that it was installed. */
async function differing(
  agent: Agent,
  places: SettingsPlaces,
  found: readonly OurEntry[],
  client: ClientVersion | null,
  { paths }: DoctorContext,
): Promise<CheckResult[]> {
  const version = client?.version ?? null;
  const has = (name: string): boolean =>
    found.some(({ event, command }) => event === name && isNotifyingCommand(command));
  const events = (minimal: boolean): AgentEvent[] => eventsFor(agent, version, minimal, ({ name }) => has(name));
  const [all, few] = [events(false), events(true)];
  // Left out on purpose with --minimal, unless there is one of them.
  const minimal = all.every((event) => few.includes(event) || !has(event.name));
  const changed = new Set<string>();
  for (const form of ['fast', 'socket'] as const) {
    const tools = ownTools(paths, { form, dryRun: true, shared: false });
    const answering = answeringFor(agent, client, tools.answer, found);
    const usual = minimal ? few : all;
    const more = answering.events.filter(({ name }) => !usual.some((event) => event.name === name));
    const files = await installHooks(agent, places, [...usual, ...more], tools, answering);
    const other = files.filter(({ action }) => action !== 'unchanged');
    if (other.length === 0) return [];
    for (const { file } of other) changed.add(file);
  }
  const option = minimal && few.length < all.length ? ' --minimal' : '';
  const fix = `run \`belfry install ${agent.name}${option}\`; with --dry-run it shows what it would change`;
  return [warn(`${agent.title}: the hooks in ${[...changed].join(', ')} are not what this version installs`, fix)];
}

function trustOf(agent: Agent, places: SettingsPlaces, { machine }: DoctorContext): Trust | undefined {
  const read = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null);
  return agent.trust?.({ home: machine.home, settingsFile: places.main.path, read });
}

/** Unix ms by agent; empty when the journal cannot be read, which another check reports. */
async function lastEvents(paths: Paths): Promise<ReadonlyMap<string, number>> {
  const { openReader } = await import('../../store/open-reader.ts');
  try {
    const store = await openReader(paths.database, 'all');
    try {
      return await store.lastEvents();
    } finally {
      await store.close();
    }
  } catch {
    return new Map(); // reported by the check of the journal
  }
}
