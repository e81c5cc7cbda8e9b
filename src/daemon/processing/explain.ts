// Explains a hook input: parses it and decides as the daemon would now; writes and sends nothing.
import { agentByName, agents, agentTitle } from '../../agents/index.ts';
import { createRepoInfoReader } from '../../enrichment/repo-info.ts';
import type { Files } from '../../files/index.ts';
import { detectAgent, parseInput, readInput } from '../../ingest/parse.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Config } from '../../model/settings/config.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import type { Event } from '../../model/event/event.ts';
import type { NotificationContent } from '../../model/notification/notification.ts';
import type { PlannedDelivery } from '../../model/delivery/delivery.ts';
import type { Verdict } from '../../model/event/verdict.ts';
import { begin, decideStored, type Facts, noFacts } from '../../pipeline/index.ts';
import type { StoreReader } from '../../store/contract.ts';
import type { Envelope } from '../../ipc/envelope.ts';
import { newId } from '../../ipc/id.ts';
import { sessionKeyText } from '../../model/ids.ts';
import { decideRest } from '../../decisions/input/decide-input.ts';
import { recentSends } from '../../decisions/input/load-facts.ts';
import { buildDeliveries } from '../../decisions/new-rows.ts';
import { channelProfiles } from '../channels/channel-profiles.ts';
import { redactorFor } from '../shared/redactor-for.ts';

export { type RouteTrace, traceRoutes } from '../../pipeline/index.ts';

/** The request. */
export interface ExplainRequest {
  readonly raw: Uint8Array;
  /** `--agent` and `--event` of the hook. */
  readonly agent: string | undefined;
  readonly event: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  readonly files: Files;
  /** When it would come, Unix ms. */
  readonly at: number;
}

/** What the daemon would do with it. */
export interface Explanation {
  readonly agent: string;
  readonly event: Event;
  readonly verdicts: readonly Verdict[];
  /** Each step with its due time and its condition. */
  readonly plan: readonly PlannedDelivery[];
  readonly channels: readonly string[];
  /** One for each step of the plan. As each channel would get it, without what the service or a transcript would add. */
  readonly notifications: readonly { readonly channel: string; readonly notification: NotificationContent }[];
}

const channelsOf = (plan: readonly PlannedDelivery[]): readonly string[] => [
  ...new Set(plan.map(({ channel }) => channel)),
];

/** What would be planned for an event that is stored, were it to come at a time, Unix ms. */
export async function explainStored(
  event: Event,
  config: Config,
  reader: StoreReader,
  of: Pick<ExplainRequest, 'home' | 'at'>,
): Promise<Pick<Explanation, 'verdicts' | 'plan' | 'channels'>> {
  const facts: Facts = {
    ...noFacts(of.home),
    profiles: channelProfiles(config),
    silences: await reader.silences(of.at),
  };
  const { verdicts, plan } = decideStored(event, { facts, config, now: of.at });
  return { verdicts, plan, channels: channelsOf(plan) };
}

/** Decides with the current session record, unless that is of a later time; repeats are not checked for, since the same file may be explained twice. */
export async function explain(request: ExplainRequest, config: Config, reader: StoreReader): Promise<Explanation> {
  const now = request.at;
  const read = readInput(request.raw);
  if (!read.ok) throw new UserError(`cannot read the input: ${read.why}; belfry would quarantine it`, EXIT.usage);
  const envelope: Envelope = {
    id: newId(now),
    ...(request.agent === undefined ? {} : { agent: request.agent }),
    ...(request.event === undefined ? {} : { event: request.event }),
    startedAt: now,
    receivedAt: now,
    origin: { pid: process.pid, ppid: process.ppid, env: request.env },
    raw: request.raw,
  };
  const agent = detectAgent(agents, envelope, read.input);
  if (!agent) throw new UserError('no agent recognizes this input: name one with --agent');
  const incoming = parseInput(agent, envelope, read.input, 'explain', config);
  const { sessionId, cwd } = incoming.parsed;
  const key = sessionId === null ? null : { host: incoming.host, user: incoming.user, agent: agent.name, sessionId };
  const known = key === null ? null : await reader.session(key);
  const record = known !== null && known.lastEvent > now ? null : known;
  const thread = key === null ? null : sessionKeyText(key);
  const folder = cwd ?? record?.cwd ?? null;
  const facts: Facts = {
    ...noFacts(request.home),
    profiles: channelProfiles(config),
    record,
    ...(thread === null ? {} : { plannedSends: await reader.plannedSends(thread, recentSends(now)) }),
    silences: await reader.silences(now),
    place:
      folder === null
        ? { project: null, branch: null }
        : await createRepoInfoReader(systemClock, request.files)(folder),
  };
  const { event, verdicts, plan } = await decideRest(begin(incoming, { facts, config, now }), reader);
  const at = {
    config,
    redactor: redactorFor(() => config)(),
    now,
    continues: agentByName(event.agent)?.continues ?? [],
  };
  const rows = buildDeliveries(event, plan, { messages: [] }, agentTitle(event.agent), at);
  const notifications = rows.map(({ channel, content }) => ({ channel, notification: content }));
  return { agent: agent.name, event, verdicts, plan, channels: channelsOf(plan), notifications };
}
