// The answering hooks of an agent: whether they are installed, and how their entries look.
import type { Agent, AgentEvent, AgentSettings } from '../src/model/agent.ts';
import type { AnswerEntry } from '../src/model/answering.ts';
import { isAskCommand } from '../src/runtime/hook-command.ts';
import { compareVersions } from './client-version.ts';
import type { WantedEntry } from './edit/hooks.ts';
import { findInstalled, type OurEntry } from './find-installed.ts';
import { type Machine, placesOf } from './settings-file.ts';

/** keep: as it is in the settings, where an update must not take away what somebody chose. */
export type AnswerChoice = 'add' | 'keep' | 'remove';

/** What to install for answering. */
export interface InstalledAnswering {
  readonly entries: readonly AnswerEntry[];
  readonly events: readonly AgentEvent[];
  readonly notes: readonly string[];
}

const NOTHING: InstalledAnswering = { entries: [], events: [], notes: [] };

/** `version`: the client's, null when it is not known. `present`: our entries as they are. */
export function answeringFor(
  agent: Agent,
  version: string | null,
  choice: AnswerChoice,
  present: readonly OurEntry[],
): InstalledAnswering {
  const has = present.some(({ command }) => isAskCommand(command));
  if (choice === 'remove' || (choice === 'keep' && !has)) return NOTHING;
  const why = version === null && has ? null : obstacle(agent, version);
  if (why !== null) return { ...NOTHING, notes: [`cannot be answered from elsewhere: ${why}; answer at its terminal`] };
  return { entries: agent.answering?.entries ?? [], events: withdrawalsOf(agent), notes: [] };
}

/** Whether the answering hooks are in the user's settings of this agent. UserError: they cannot be read. */
export async function isAskInstalled(agent: Agent, machine: Machine): Promise<boolean> {
  const found = await findInstalled(agent, placesOf(agent, { level: 'user' }, machine), isAskCommand);
  return found.some(({ counts }) => counts);
}

/** The events that say that somebody was first at the terminal. */
export function withdrawalsOf({ answering, events }: Agent): readonly AgentEvent[] {
  return (answering?.withdrawals ?? []).map(
    (name) => events.find((event) => event.name === name) ?? { name, role: 'track', becomes: 'session state only' },
  );
}

/** Why this client cannot be answered from elsewhere; null: it can. */
export function obstacle({ answering, title }: Agent, version: string | null): string | null {
  if (answering === undefined) return `${title} has no way in for it`;
  if (process.platform === 'win32') return 'not on Windows';
  if (version === null) return `its version is not known, and it takes ${answering.since}`;
  return compareVersions(version, answering.since) < 0
    ? `version ${version} is too old, it takes ${answering.since}`
    : null;
}

/** The entries in the client's form. */
export function wantedAsks(
  agent: Agent,
  settings: AgentSettings,
  entries: readonly AnswerEntry[],
  ask: (agent: Agent, entry: AnswerEntry) => string,
): WantedEntry[] {
  return entries.map((entry) => {
    const timeout = settings.timeoutUnit === 'milliseconds' ? entry.timeout * 1_000 : entry.timeout;
    return { event: entry.event, entry: { type: 'command', command: ask(agent, entry), timeout, ...entry.keys } };
  });
}
