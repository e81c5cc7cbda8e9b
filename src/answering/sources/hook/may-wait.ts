// Whether a hook that asks is to wait: a client that can be answered, an input that asks something, a kind that the settings allow.
import * as z from 'zod';
import type { AskArgs, FarHook } from '../../../ipc/ask.ts';
import type { Origin } from '../../../ipc/envelope.ts';
import { contentDigest } from '../../../lib/hash.ts';
import { isObject, parseJson } from '../../../lib/json/json.ts';
import type { Agent } from '../../../model/agent/agent.ts';
import type { Answering } from '../../../model/question/answering.ts';
import { HERE } from '../../../model/session/whereabouts.ts';
import type { Asked, Match } from '../../questions/asker.ts';

const argsSchema = z.object({
  startedAt: z.number(),
  agent: z.string(),
  reply: z.boolean(),
  raw: z.string(),
  origin: z.object({
    pid: z.int().positive(),
    ppid: z.int().nonnegative(),
    env: z.record(z.string(), z.string()),
  }),
  beats: z.literal(true).optional(),
}) satisfies z.ZodType<AskArgs>;

/** What it is decided by. */
export interface AdmissionDeps {
  readonly agents: (name: string) => Agent | undefined;
}

/** What a hook asks, or code inside a client, once it is admitted. */
export interface AskedByHook extends Asked {
  readonly answering: Answering;
  /** As the client gave it: needed for the client's own form of an answer, never stored. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly agent: Agent;
  readonly origin: Origin;
  /** It knows heartbeats. */
  readonly hearsBeats: boolean;
  /** Null: it waits on this machine. */
  readonly far: FarHook | null;
}

/** What is asked and what was notified are the same input; or, where they are put together in two places, of one session, kind and moment. */
export const matchOf = ({ answering }: Pick<AskedByHook, 'answering'>): Match =>
  answering.inside?.ownInput === true ? 'moment' : 'bytes';

/** Null: the request is of another version. */
export const readAsk = (given: Readonly<Record<string, unknown>>): AskArgs | null =>
  argsSchema.safeParse(given).data ?? null;

/** What it asks, `far` for one of a machine elsewhere; a string says why there is nothing that could be answered from elsewhere. */
export function admit(
  given: Readonly<Record<string, unknown>>,
  deps: AdmissionDeps,
  far: FarHook | null = null,
): AskedByHook | string {
  const args = readAsk(given);
  if (args === null) return 'the request is of another version';
  const { agent: name, raw, reply, startedAt, beats } = args;
  const origin = far?.origin ?? args.origin;
  const agent = deps.agents(name);
  const answering = agent?.answering;
  if (agent === undefined || answering === undefined) return 'this agent cannot be answered from elsewhere';
  const input = parseJson(raw);
  if (!isObject(input)) return 'the input is not a JSON object';
  const question = answering.read(input, { env: origin.env });
  if (question === null) return 'nothing is asked that can be answered from elsewhere';
  // Only its own command line can hand over a reply by its status, and a decision is none.
  if (reply !== (question.kind === 'text' && answering.printReply === undefined))
    return 'the hook was installed for another event';
  const { remote } = origin;
  const session = { ...HERE, ...(remote && { host: remote }), agent: agent.name, sessionId: question.sessionId };
  const digest = contentDigest(Buffer.from(raw));
  const hearsBeats = beats === true;
  return { session, remote, question, answering, input, digest, startedAt, agent, origin, hearsBeats, far };
}
