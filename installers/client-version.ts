// Asks an installed client for its version, within bounded time; no event name a client does not know is ever written.
import type { Agent, AgentEvent } from '../src/model/agent.ts';
import type { Machine } from './settings-file.ts';

/** Longest wait for a client's answer, ms. */
const LIMIT = 10_000;

/** "2.1.197", or null when the client is not there, prints nothing usable or takes too long. */
export async function clientVersion(agent: Agent, machine: Machine): Promise<string | null> {
  const [program, ...args] = agent.version ?? [];
  if (program === undefined) return null;
  const { execa } = await import('execa');
  const { stdout } = await execa(program, args, {
    env: { ...machine.env },
    extendEnv: false,
    cwd: machine.home,
    stdin: 'ignore',
    timeout: LIMIT,
    forceKillAfterDelay: 500,
    maxBuffer: 65_536,
    reject: false,
  });
  return /\d+\.\d+(?:\.\d+)?/.exec(typeof stdout === 'string' ? stdout : '')?.[0] ?? null;
}

/** The events to install for a client of this version; an unknown one counts as the oldest, but keeps what it `has`. */
export function eventsFor(
  agent: Agent,
  version: string | null,
  minimal: boolean,
  has: (event: AgentEvent) => boolean = () => false,
): AgentEvent[] {
  return agent.events.filter((event) => {
    if (minimal && event.role === 'track') return false;
    if (event.since === undefined) return true;
    return version === null ? has(event) : compareVersions(version, event.since) >= 0;
  });
}

/** Whether the version makes a difference to what is installed. */
export function dependsOnVersion(agent: Agent): boolean {
  return agent.events.some((event) => event.since !== undefined);
}

function compareVersions(a: string, b: string): number {
  const [x, y] = [a, b].map((text) => text.split('.').map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (x?.[i] ?? 0) - (y?.[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
