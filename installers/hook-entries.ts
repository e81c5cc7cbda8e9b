// How an agent's entries look in JSON, made from its description.
import type { Agent, AgentEvent, AgentSettings } from '../src/model/agent/agent.ts';
import type { HooksShape } from './edit/entries.ts';
import type { WantedEntry } from './edit/hooks.ts';
import type { SettingsPlace } from './settings-file.ts';

/** Seconds a client lets a hook run, unless its description says otherwise. */
const TIMEOUT = 10;

/** Makes the command line for one event. */
export type CommandFor = (agent: Agent, event: AgentEvent | null) => string;

/** Where and how entries are written in a file of this agent. */
export function shapeOf(settings: AgentSettings, place: SettingsPlace): HooksShape {
  return {
    hooksPath: place.at,
    nested: settings.shape === 'nested',
    commandKey: settings.shape === 'nested' ? 'command' : (settings.commandKey ?? 'command'),
    requiredKeys: settings.requiredKeys,
  };
}

/** The entries for these events. */
export function wantedOf(
  agent: Agent,
  settings: AgentSettings,
  events: readonly AgentEvent[],
  command: CommandFor,
): WantedEntry[] {
  return events.map((event) => {
    const line = command(agent, event);
    const seconds = event.timeout ?? TIMEOUT;
    const timeout = settings.timeoutUnit === 'milliseconds' ? seconds * 1000 : seconds;
    const entry = settings.entry?.(line, seconds) ?? { type: 'command', command: line, timeout };
    return { event: event.name, entry, ...(event.matcher === undefined ? {} : { matcher: event.matcher }) };
  });
}
