// From the bytes of an input to what its agent's adapter makes of it: the named agent, else the one that recognises it, else the generic one.
import type { Agent } from '../model/agent/agent.ts';
import type { Config } from '../model/settings/config.ts';
import { HERE } from '../model/session/local-host.ts';
import type { IncomingHook } from '../model/event/incoming.ts';
import type { Envelope } from '../ipc/envelope.ts';
import { contentDigest } from '../lib/hash.ts';
import { parseJson } from '../lib/json/json.ts';

/** What reading gave. */
export type ReadResult =
  | { readonly ok: true; readonly input: Record<string, unknown> }
  | { readonly ok: false; readonly why: string };

/** The input as an object, or why there is none. Bytes that are not UTF-8 become replacement characters. */
export function readInput(raw: Uint8Array, cut?: 'size' | 'time'): ReadResult {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  if (text === '') return { ok: false, why: 'it is empty' };
  const value = parseJson(text);
  if (value === undefined)
    return { ok: false, why: cut === undefined ? 'it is not JSON' : `it was cut off by the bound of ${cut}` };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, why: 'it is JSON but not an object' };
  const input = value as Record<string, unknown>;
  sanitizeJson(input);
  return { ok: true, input };
}

/** Deeper values are replaced by a placeholder: no client nests its own fields this deep, and walking deeper ends in a stack overflow. */
const DEPTH = 64;

/** Makes it safe to walk: no `__proto__` keys, no deep nesting. Changes `root` in place, without recursion. */
function sanitizeJson(root: Record<string, unknown>): void {
  const open: { node: object; depth: number }[] = [{ node: root, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (Object.hasOwn(node, '__proto__')) Reflect.deleteProperty(node, '__proto__');
    for (const [key, value] of Object.entries(node)) {
      if (typeof value !== 'object' || value === null) continue;
      // Arrays have their index as key; both are set by name.
      if (depth >= DEPTH) (node as Record<string, unknown>)[key] = '(nested too deeply)';
      else open.push({ node: value, depth: depth + 1 });
    }
  }
}

/** Name of the agent that takes any input. */
const FALLBACK = 'generic';

/** The agents that an input under this name, or without one, may be of. */
export function possibleAgents(agents: readonly Agent[], name: string | undefined): readonly Agent[] {
  if (name === undefined) return agents;
  const found = agents.filter((agent) => agent.name === name || agent.alsoRunsHooksOf?.includes(name));
  return found.some((agent) => agent.name === name)
    ? found
    : [...found, ...agents.filter((agent) => agent.name === FALLBACK)];
}

/**
 * The agent of an input: the one `--agent` names, except that a client which also runs that agent's hooks is known by its
 * input. Without a name the input decides, and the environment only after it: a client started from another's shell inherits it.
 */
export function detectAgent(
  agents: readonly Agent[],
  envelope: Pick<Envelope, 'agent' | 'event' | 'origin'>,
  input: Readonly<Record<string, unknown>>,
): Agent | undefined {
  const name = envelope.agent;
  const known = (env: Readonly<Record<string, string>>) => (agent: Agent) =>
    agent.name !== FALLBACK && agent.matches(input, { event: envelope.event ?? null, env });
  const found =
    name === undefined
      ? (agents.find(known({})) ?? agents.find(known(envelope.origin.env)))
      : (agents.filter((agent) => agent.alsoRunsHooksOf?.includes(name)).find(known({})) ??
        agents.find((agent) => agent.name === name));
  return found ?? agents.find((agent) => agent.name === FALLBACK);
}

/** The input in Belfry's terms, as the pipeline runner takes it. */
export function parseInput(
  agent: Agent,
  envelope: Envelope,
  input: Readonly<Record<string, unknown>>,
  source: string,
  config: Config,
): IncomingHook {
  const abnormalReasons = config.agents[agent.name]?.abnormal_reasons ?? agent.abnormalReasons;
  const parsed = agent.parse(input, { event: envelope.event ?? null, env: envelope.origin.env, abnormalReasons });
  // A path that comes by HTTP is one of another machine, or a guess at a file of ours.
  const own = source === 'http' ? { ...parsed, transcript: null } : parsed;
  return {
    type: 'hook',
    entryId: envelope.id,
    source,
    startedAt: envelope.startedAt,
    receivedAt: envelope.receivedAt,
    agent: agent.name,
    host: envelope.origin.host ?? HERE.host,
    user: envelope.origin.user ?? HERE.user,
    parsed: own,
    origin: envelope.origin,
    digest: contentDigest(envelope.raw),
  };
}
