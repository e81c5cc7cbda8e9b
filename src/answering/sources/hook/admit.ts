// Whether a hook that asks is to wait: a client that can be answered, an input that asks something, a kind that the settings allow.
import * as z from 'zod';
import type { AskArgs } from '../../../ipc/ask.ts';
import { contentDigest } from '../../../lib/hash.ts';
import { isObject, parseJson } from '../../../lib/json.ts';
import type { Agent } from '../../../model/agent.ts';
import { SETTING_OF } from '../../../model/answering.ts';
import type { AnswerSettings, Config } from '../../../model/config.ts';
import { HERE } from '../../../model/local-host.ts';
import type { Asked } from '../../questions/wait.ts';

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
  readonly config: () => Config;
}

/** Null: the request is of another version. */
export const readAsk = (given: Readonly<Record<string, unknown>>): AskArgs | null =>
  argsSchema.safeParse(given).data ?? null;

/** What it asks; a string says why there is nothing that could be answered from elsewhere. */
export function admit(given: Readonly<Record<string, unknown>>, deps: Pick<AdmissionDeps, 'agents'>): Asked | string {
  const args = readAsk(given);
  if (args === null) return 'the request is of another version';
  const { agent: name, raw, reply, startedAt, origin, beats } = args;
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
  const session = { ...HERE, agent: agent.name, sessionId: question.sessionId };
  const digest = contentDigest(Buffer.from(raw));
  const hearsBeats = beats === true;
  return { session, question, answering, input, digest, startedAt, agent, origin, hearsBeats };
}

/** Why what it asks is to be answered at its terminal only, for people; null: the settings allow it. */
export function leftOut({ question: { kind } }: Asked, { kinds }: AnswerSettings): string | null {
  return kinds.includes(SETTING_OF[kind]) ? null : `[answer] kinds leaves out ${SETTING_OF[kind]}`;
}
