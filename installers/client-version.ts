// Asks an installed client for its version, within bounded time; no event name a client does not know is ever written.
import type { Agent, AgentEvent } from '../src/model/agent/agent.ts';
import { findProgram } from './find-program.ts';
import { runClient } from './run-client.ts';
import type { Machine } from './settings-file.ts';

/** Longest wait for a client's answer, ms. */
const LIMIT = 10_000;
/** A wait that a person wonders about, ms. */
const LONG = 1_500;

/** "2.1.197", or why it is not known. */
export type ClientVersion =
  | { readonly version: string }
  | { readonly version: null; readonly why: 'not found' | 'no answer' | 'no version' };

/** `onWait` is called once when the client is slow to answer. */
export async function clientVersion(
  agent: Agent,
  machine: Machine,
  onWait: (text: string) => void = () => undefined,
): Promise<ClientVersion> {
  const program = findProgram(agent, machine);
  if (program === null) return { version: null, why: 'not found' };
  const args = agent.version?.slice(1) ?? [];
  const slow = setTimeout(
    () => onWait(`waiting up to ${LIMIT / 1000} s for \`${[program, ...args].join(' ')}\``),
    LONG,
  );
  const ran = await runClient(program, args, machine, LIMIT);
  clearTimeout(slow);
  const version = /\d+\.\d+(?:\.\d+)?/.exec(ran.stdout)?.[0];
  if (version !== undefined) return { version };
  return { version: null, why: ran.timedOut ? 'no answer' : 'no version' };
}

/** Why a version is not known, as part of a sentence. */
export function unknownVersionReason(agent: Agent, why: 'not found' | 'no answer' | 'no version'): string {
  const [program = agent.name, ...args] = agent.version ?? [];
  if (why === 'not found') return `\`${program}\` is neither on your PATH nor where its installer puts it`;
  const line = [program, ...args].join(' ');
  return why === 'no answer' ? `\`${line}\` did not answer within ${LIMIT / 1000} s` : `\`${line}\` printed no version`;
}

/** These events by name, and what you are not notified of without them. */
export function missedEvents(events: readonly AgentEvent[]): string {
  const names = events.map((event) => event.name).join(', ');
  const missed = events.flatMap((event) => event.missedWithout ?? []);
  const end = `; you will not be notified of ${missed.join(', nor of ')}`;
  return `${names}${missed.length > 0 ? end : ''}`;
}

/** The events to install for a client of this version; an unknown one counts as the oldest, but keeps what it `has`. */
export function eventsFor(
  agent: Agent,
  version: string | null,
  minimal: boolean,
  has: (event: AgentEvent) => boolean = () => false,
): AgentEvent[] {
  return agent.events.filter((event) => {
    if (minimal && event.role !== 'notify') return false;
    if (event.since === undefined) return true;
    return version === null ? has(event) : compareVersions(version, event.since) >= 0;
  });
}

/** Whether the version makes a difference to what is installed. */
export function dependsOnVersion(agent: Agent): boolean {
  return agent.events.some((event) => event.since !== undefined);
}

/** Below zero: `a` is older. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [a, b].map((text) => text.split('.').map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (x?.[i] ?? 0) - (y?.[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
