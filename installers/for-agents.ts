// Installs or uninstalls for several agents; one that fails does not stop the others.
import type { Agent, AgentEvent } from '../src/model/agent/agent.ts';
import { EXIT, type ExitCode, UserError } from '../src/model/errors.ts';
import type { Changes } from './managed-file.ts';
import {
  clientVersion,
  dependsOnVersion,
  eventsFor,
  missedEvents,
  unknownVersionReason,
  type ClientVersion,
} from './client-version.ts';
import { answeringFor, asksVersion } from './answer-entries.ts';
import { localFacts } from './files/access.ts';
import { installHooks, type InstallContext, uninstallHooks } from './install.ts';
import { findInstalled } from './find-installed.ts';
import { installedPlugin } from './installed-plugin.ts';
import { type Machine, type SettingsPlaces, placesOf, type Scope, settingsOf } from './settings-file.ts';

/** What was done for one agent. */
export interface Installed {
  readonly agent: string;
  readonly title: string;
  /** The client's version, where it decides on the events; null: not known. */
  readonly version: string | null;
  readonly events: readonly string[];
  readonly files: readonly Changes[];
  /** What lets it be answered from elsewhere is installed. */
  readonly answerable: boolean;
  /** Notes: what the user still has to know or do. */
  readonly notes: readonly string[];
}

/** Expected trouble with one agent. */
export interface NotDone {
  readonly agent: string;
  readonly title: string;
  readonly error: string;
  readonly exit: ExitCode;
}

/** Installs for each agent; throws for what is wrong with the request itself. `onWait`: a client is slow to answer. */
export async function installFor(
  agents: readonly Agent[],
  scope: Scope,
  minimal: boolean,
  machine: Machine,
  tools: InstallContext,
  onWait?: (text: string) => void,
): Promise<(Installed | NotDone)[]> {
  const all = agents.map((agent) => ({ agent, places: placesOf(agent, scope, machine) }));
  return inTurn(all, async ({ agent, places }) => {
    const asked = dependsOnVersion(agent) || asksVersion(agent, tools.answer.answer);
    const client = asked ? await clientVersion(agent, machine, onWait) : null;
    const version = client?.version ?? null;
    const present = await findInstalled(agent, places, tools.isOurs, tools.options.files);
    const known = asked && version === null ? present.map((entry) => entry.event) : [];
    const usual = eventsFor(agent, version, minimal, (event) => known.includes(event.name));
    const answering = answeringFor(agent, client, tools.answer, present);
    const more = answering.events.filter(({ name }) => !usual.some((event) => event.name === name));
    const events = [...usual, ...more];
    const files = await installHooks(agent, places, events, tools, answering);
    const notes = [
      ...unknownVersion(agent, client, events),
      ...answering.notes,
      ...pluginBeside(agent, machine),
      ...(tools.options.dryRun ? [] : trustNotes(agent, places, machine)),
    ];
    const { name, title } = agent;
    const answerable = answering.inside || answering.entries.length > 0;
    return { agent: name, title, version, events: events.map((event) => event.name), files, answerable, notes };
  });
}

/** Uninstalls for each agent: from the files of the scope and, for the user's, from every file we remember. */
export async function uninstallFor(
  agents: readonly Agent[],
  scope: Scope,
  machine: Machine,
  tools: InstallContext,
): Promise<(Installed | NotDone)[]> {
  const remembered = scope.level === 'user' ? await tools.options.records.all() : [];
  const all = agents.map((agent) => {
    const places = placesOf(agent, scope, machine);
    const known = [places.main.path, places.override?.path, places.extension?.path];
    const more = remembered.filter((record) => record.agent === agent.name && !known.includes(record.path));
    const others = more.map((record) => placesOf(agent, { level: 'file', path: record.path }, machine));
    return { agent, places: [places, ...others] };
  });
  // Backwards: a folder that one made and a later one used is empty only after the later one has left it.
  const done = await inTurn(all.reverse(), async ({ agent, places }) => {
    settingsOf(agent);
    const files: Changes[] = [];
    for (const each of places) files.push(...(await uninstallHooks(agent, each, tools)));
    const changed = files.filter((change) => change.action !== 'unchanged');
    const nothing = { version: null, events: [], answerable: false };
    return { agent: agent.name, title: agent.title, files: changed, ...nothing, notes: pluginLeft(agent, machine) };
  });
  return done.reverse();
}

async function inTurn<T extends { readonly agent: Agent }>(
  all: readonly T[],
  work: (one: T) => Promise<Installed>,
): Promise<(Installed | NotDone)[]> {
  const results: (Installed | NotDone)[] = [];
  for (const one of all) {
    try {
      results.push(await work(one));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      results.push({
        agent: one.agent.name,
        title: one.agent.title,
        error: error.message,
        exit: error.exit ?? EXIT.other,
      });
    }
  }
  return results;
}

function unknownVersion(agent: Agent, client: ClientVersion | null, events: readonly AgentEvent[]): string[] {
  const left = agent.events.filter((event) => event.since !== undefined && !events.includes(event));
  if (client === null || client.version !== null || left.length === 0) return [];
  const missed = missedEvents(left);
  return [`${unknownVersionReason(agent, client.why)}, so there is no hook for ${missed}`];
}

function pluginBeside(agent: Agent, machine: Machine): string[] {
  const plugin = installedPlugin(agent, machine);
  return plugin === null
    ? []
    : [
        `it also has Belfry as ${plugin.an}, by ${plugin.file}: two reports of an event within 1.5 s make one notification; to remove the ${plugin.called}, ${plugin.removal}`,
      ];
}

function pluginLeft(agent: Agent, machine: Machine): string[] {
  const plugin = installedPlugin(agent, machine);
  return plugin === null ? [] : [`it still has Belfry as ${plugin.an}: ${plugin.removal}`];
}

function trustNotes(agent: Agent, places: SettingsPlaces, machine: Machine): string[] {
  const read = (machine.facts ?? localFacts).text;
  const trust = agent.trust?.({ home: machine.home, settingsFile: places.main.path, read });
  return trust?.trusted === false ? [trust.fix] : [];
}
