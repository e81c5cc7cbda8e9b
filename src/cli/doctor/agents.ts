// Doctor: the hooks in each agent's settings: installed, of this version, seen by the client, trusted, last event.
import { existsSync, readFileSync } from 'node:fs';
import { clientVersion, dependsOnVersion, eventsFor } from '../../../installers/client-version.ts';
import { detectAgents } from '../../../installers/detect-agents.ts';
import { type OurEntry, findInstalled } from '../../../installers/find-installed.ts';
import { type SettingsPlaces, placesOf } from '../../../installers/settings-file.ts';
import { ownTools } from '../../../installers/install-context.ts';
import { agents as registered } from '../../agents/index.ts';
import type { Agent, Trust } from '../../model/agent.ts';
import { UserError } from '../../model/errors.ts';
import { ago } from '../time-args.ts';
import { defineCheck, type CheckResult, fail, ok, type DoctorContext, warn } from './check.ts';
import { lastEvents } from './last-events.ts';

const NOTHING = 'no hooks are installed';

export const agentsCheck = defineCheck({
  name: 'agents',
  inspects: 'each agent on this machine: settings, our entries, trust, the last event seen',
  fixes: [
    ['the settings file cannot be read', 'mend it at the line and column named'],
    ['nothing installed', '`belfry install AGENT`'],
    ['an older entry, or one of another place or Node', '`belfry install AGENT`'],
    ['events missing that the client knows', '`belfry install AGENT`'],
    ['an entry the client does not see: hidden by a later key or another file', '`belfry install AGENT`'],
    ['the client does not trust the hooks', 'as the agent says, e.g. trust them at its next start'],
  ],
  run: async (context) => {
    const here = detectAgents(registered, context.machine);
    if (here.length === 0)
      return [warn('no agent was found on this machine', 'install one, then run `belfry install NAME`')];
    const last = await lastEvents(context.paths);
    const found = await Promise.all(here.map((agent) => one(agent, context, last)));
    // One agent without hooks may be intended; when none has any, no event can arrive.
    const none = found.flat().every(({ text }) => text.endsWith(NOTHING));
    return found.flat().map((finding) => (none ? { ...finding, level: 'fail' } : finding));
  },
});

async function one(agent: Agent, context: DoctorContext, last: ReadonlyMap<string, number>): Promise<CheckResult[]> {
  const places = placesOf(agent, { level: 'user' }, context.machine);
  const tools = ownTools(context.paths, { form: 'fast', dryRun: true, shared: false });
  const mend = `run \`belfry install ${agent.name}\``;
  try {
    const entries = await findInstalled(agent, places, tools.isOurs);
    const [first] = entries;
    if (!first) return [warn(`${agent.title}: ${NOTHING}`, mend)];
    const faults = [...aged(agent, entries, context, mend), ...(await missing(agent, entries, context, mend))];
    const hidden = entries.filter((entry) => !entry.counts);
    for (const { event, file } of hidden)
      faults.push(fail(`${agent.title}: ${event} in ${file} is hidden from the client`, mend));
    const trust = trustOf(agent, places, context);
    if (trust?.trusted === false)
      faults.push(fail(`${agent.title}: its client does not run the hooks: they are not trusted`, trust.fix));
    const seen = last.get(agent.name);
    const when = seen === undefined ? 'no event seen yet' : `last event ${ago(seen, context.now)}`;
    return faults.length > 0
      ? faults
      : [ok(`${agent.title}: installed in ${first.file},${trust?.trusted ? ' trusted,' : ''} ${when}`)];
  } catch (error) {
    if (error instanceof UserError) return [fail(`${agent.title}: ${error.message}`, `mend the file, then ${mend}`)];
    throw error;
  }
}

/** Entries that are not what `install` would write now. */
function aged(agent: Agent, entries: readonly OurEntry[], context: DoctorContext, mend: string): CheckResult[] {
  const current = (['fast', 'socket'] as const).map((form) => {
    const tools = ownTools(context.paths, { form, dryRun: true, shared: false });
    return (entry: OurEntry): string => {
      const event = agent.events.find(({ name }) => name === entry.event) ?? null;
      const line = tools.command(agent, event);
      return entry.event === null ? (agent.settings?.module?.(line) ?? line) : line;
    };
  });
  const old = entries.filter((entry) => entry.counts && !current.some((make) => make(entry) === entry.command));
  if (old.length === 0) return [];
  const events = old.map(({ event }) => event ?? 'all events').join(', ');
  return [fail(`${agent.title}: older hooks, or of another place or Node, for ${events}`, mend)];
}

async function missing(
  agent: Agent,
  entries: readonly OurEntry[],
  { machine }: DoctorContext,
  mend: string,
): Promise<CheckResult[]> {
  if (agent.settings?.module) return [];
  const version = dependsOnVersion(agent) ? await clientVersion(agent, machine) : null;
  const has = (name: string): boolean => entries.some((entry) => entry.event === name);
  const absent = eventsFor(agent, version, true).filter(({ name }) => !has(name));
  if (absent.length === 0) return [];
  return [fail(`${agent.title}: no hook for ${absent.map(({ name }) => name).join(', ')}`, mend)];
}

function trustOf(agent: Agent, places: SettingsPlaces, { machine }: DoctorContext): Trust | undefined {
  const read = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null);
  return agent.trust?.({ home: machine.home, settingsFile: places.main.path, read });
}
