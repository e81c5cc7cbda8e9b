// Lets the agent's adapter parse an input: the named agent, else the one that recognises it, else the generic one.
import { createHash } from 'node:crypto';
import type { Agent } from '../model/agent.ts';
import type { Config } from '../model/config.ts';
import type { IncomingHook } from '../model/incoming.ts';
import type { Envelope } from '../wire/envelope.ts';

/** Name of the agent that takes any input. */
const FALLBACK = 'generic';

/** The agent of an input. */
export function agentOf(
  agents: readonly Agent[],
  envelope: Pick<Envelope, 'agent' | 'event' | 'origin'>,
  input: Readonly<Record<string, unknown>>,
): Agent | undefined {
  const named = agents.find((agent) => agent.name === envelope.agent);
  if (named) return named;
  const hints = { event: envelope.event ?? null, env: envelope.origin.env };
  const recognised = envelope.agent === undefined ? agents.find((agent) => agent.recognise(input, hints)) : undefined;
  return recognised ?? agents.find((agent) => agent.name === FALLBACK);
}

/** The input in Belfry's words, as the telling takes it. */
export function adapt(
  agent: Agent,
  envelope: Envelope,
  input: Readonly<Record<string, unknown>>,
  source: string,
  config: Config,
): IncomingHook {
  const abnormalReasons = config.agents[agent.name]?.abnormal_reasons ?? agent.abnormalReasons;
  const parsed = agent.parse(input, { event: envelope.event ?? null, env: envelope.origin.env, abnormalReasons });
  return {
    type: 'hook',
    entryId: envelope.id,
    source,
    startedAt: envelope.startedAt,
    receivedAt: envelope.receivedAt,
    agent: agent.name,
    parsed,
    origin: envelope.origin,
    digest: digestOf(envelope.raw),
  };
}

const SPACE: ReadonlySet<number> = new Set([9, 10, 11, 12, 13, 32]);

function digestOf(raw: Uint8Array): string {
  let start = 0;
  let end = raw.byteLength;
  while (start < end && SPACE.has(raw[start] ?? 0)) start++;
  while (end > start && SPACE.has(raw[end - 1] ?? 0)) end--;
  return createHash('sha256').update(raw.subarray(start, end)).digest('hex');
}
