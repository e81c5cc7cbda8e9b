// The answering hooks of an agent: whether they are installed, and how their entries look.
import type { Agent, AgentEvent, AgentSettings } from '../src/model/agent/agent.ts';
import type { AnswerEntry } from '../src/model/question/answering.ts';
import { isAskCommand } from '../src/runtime/hook-command.ts';
import { type ClientVersion, compareVersions, unknownVersionReason } from './client-version.ts';
import type { WantedEntry } from './edit/hooks.ts';
import { findInstalled, type OurEntry } from './find-installed.ts';
import { type Machine, placesOf } from './settings-file.ts';

/** keep: as it is in the settings, where an update must not take away what somebody chose. */
export type AnswerChoice = 'add' | 'keep' | 'remove';

/** What somebody chose. */
export interface AnswerChoices {
  readonly answer: AnswerChoice;
  /** Whether the client is to write to its own terminal what a channel hands it; null: as it is in the settings. */
  readonly terminal: boolean | null;
  /** It is installed on a machine elsewhere. */
  readonly far?: true;
}

/** What to install for answering. */
export interface InstalledAnswering {
  readonly entries: readonly AnswerEntry[];
  readonly events: readonly AgentEvent[];
  /** Whether code inside the client is to ask. */
  readonly inside: boolean;
  readonly notes: readonly string[];
}

const NOTHING: InstalledAnswering = { entries: [], events: [], inside: false, notes: [] };

/** `client`: its version; null: it was not asked. `present`: our entries as they are. */
export function answeringFor(
  agent: Agent,
  client: ClientVersion | null,
  { answer: choice, terminal, far }: AnswerChoices,
  present: readonly OurEntry[],
): InstalledAnswering {
  const has = present.some(({ command }) => isAskCommand(command));
  if (choice === 'remove' || (choice === 'keep' && !has)) return NOTHING;
  const isKnown = client !== null && client.version !== null;
  const why = !isKnown && has ? null : obstacle(agent, client, far);
  if (why !== null)
    return {
      ...NOTHING,
      notes: [`nothing is installed to answer it from elsewhere: ${why.text}; ${why.todo}`],
    };
  const entries = entriesOf(agent, present, terminal);
  const inside = agent.answering?.inside;
  const needs = choice === 'add' && inside?.needs ? [inside.needs.todo] : [];
  return { entries, events: withdrawalsOf(agent), inside: inside !== undefined, notes: needs };
}

/** Whether the client's version is to be asked for the sake of answering. */
export function asksVersion({ answering }: Agent, choice: AnswerChoice): boolean {
  return answering !== undefined && choice === 'add';
}

/** The entries of an agent; those for its terminal where they are wanted, or are there and nobody said. */
export function entriesOf(
  { answering }: Agent,
  present: readonly OurEntry[],
  terminal: boolean | null = null,
): readonly AnswerEntry[] {
  const isThere = (name: string): boolean =>
    present.some(({ event, command }) => event === name && isAskCommand(command));
  return (answering?.entries ?? []).filter((entry) => entry.terminal !== true || (terminal ?? isThere(entry.event)));
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

/** Why a client cannot be answered from elsewhere, and what to do then. */
export interface Obstacle {
  /** Why the version is not known, as in `text`; null: it is, or was not asked. */
  readonly reason: string | null;
  readonly text: string;
  readonly todo: string;
}

/** Null: it can. `client`: its version; null: it was not asked. `far`: it is on a machine elsewhere. */
export function obstacle(agent: Agent, client: ClientVersion | null, far?: true): Obstacle | null {
  const { answering, title, name } = agent;
  const atTerminal = 'answer at its terminal';
  const never = answering === undefined ? `${title} has no way in for it` : 'not on Windows';
  if (answering === undefined || process.platform === 'win32') return { reason: null, text: never, todo: atTerminal };
  const install = `then run \`belfry ${far ? 'remote add HOST' : `install ${name}`} --answer\`${far ? ' again' : ''}`;
  if (client === null || client.version === null) {
    const reason = client === null ? null : unknownVersionReason(agent, client.why);
    return {
      reason,
      text: `its version is not known${reason === null ? '' : ` (${reason})`}, and it takes ${answering.since} or later`,
      todo: `make \`${agent.version?.join(' ') ?? name}\` work in ${far ? 'a login shell there' : 'this shell'}, ${install}`,
    };
  }
  if (compareVersions(client.version, answering.since) >= 0) return null;
  return {
    reason: null,
    text: `version ${client.version} is too old, it takes ${answering.since} or later`,
    todo: `upgrade it, ${install}`,
  };
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
