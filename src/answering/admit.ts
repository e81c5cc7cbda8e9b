// Whether a hook that asks is to wait: a client that can be answered, a kind that the settings allow, an input that asks something.
import * as z from 'zod';
import type { AskArgs } from '../ipc/ask.ts';
import { contentDigest } from '../lib/hash.ts';
import { isObject, parseJson } from '../lib/json.ts';
import type { Agent } from '../model/agent.ts';
import { SETTING_OF } from '../model/answering.ts';
import type { Config } from '../model/config.ts';
import { HERE } from '../model/local-host.ts';
import type { Asked } from './wait.ts';

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
}) satisfies z.ZodType<AskArgs>;

/** What it is decided by. */
export interface AdmissionDeps {
  readonly agents: (name: string) => Agent | undefined;
  readonly config: () => Config;
}

/** Null: the request is of another version. */
export const readAsk = (given: Readonly<Record<string, unknown>>): AskArgs | null =>
  argsSchema.safeParse(given).data ?? null;

/** A string says why the hook is to leave. */
export function admit(given: Readonly<Record<string, unknown>>, deps: AdmissionDeps, isAway: boolean): Asked | string {
  const args = readAsk(given);
  if (args === null) return 'the request is of another version';
  const { agent: name, raw, reply, startedAt, origin } = args;
  const agent = deps.agents(name);
  const answering = agent?.answering;
  if (agent === undefined || answering === undefined) return 'this agent cannot be answered from elsewhere';
  const input = parseJson(raw);
  if (!isObject(input)) return 'the input is not a JSON object';
  const question = answering.read(input, { env: origin.env });
  if (question === null) return 'nothing is asked that can be answered from elsewhere';
  if (answering.holds === true && !isAway) return 'its terminal would be held, and nobody is away';
  // Only its own command line can hand over a reply by its status, and a decision is none.
  if (reply !== (question.kind === 'text' && answering.printReply === undefined))
    return 'the hook was installed for another event';
  const { kinds } = deps.config().answer;
  if (!kinds.includes(SETTING_OF[question.kind])) return `[answer] kinds leaves out ${SETTING_OF[question.kind]}`;
  const session = { ...HERE, agent: agent.name, sessionId: question.sessionId };
  return { session, question, answering, input, digest: contentDigest(Buffer.from(raw)), startedAt, agent, origin };
}
