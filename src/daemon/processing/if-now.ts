// What would become of a prompt, and of something urgent, that came now: decided as a real event is, by the routes and the gate; nothing is written or sent.
import { agentTitle } from '../../agents/index.ts';
import { routedChannels } from '../../config/checks/routed-channels.ts';
import { askGateOfPlan, type GateDeps, gateFacts } from '../../decisions/ask-gate.ts';
import { forecast, gatedPlan, type GateFacts } from '../../dispatch/gate.ts';
import type { Delivery, PlannedDelivery } from '../../model/delivery/delivery.ts';
import { isGroupHold, QUIET_HOLD, WAITS } from '../../model/delivery/holds.ts';
import type { Event } from '../../model/event/event.ts';
import { plainRoutes } from '../../model/event/event-outcome.ts';
import { awayAt } from '../../model/presence/away.ts';
import { HERE } from '../../model/session/whereabouts.ts';
import type { Config } from '../../model/settings/config.ts';
import { decideStored, noFacts } from '../../pipeline/index.ts';
import type { ChannelHealth, Store } from '../../store/contract.ts';
import {
  type IfNowPlan,
  type IfNowSend,
  MUTE,
  notesOf,
  outcomeWords,
  QUIET,
  reaches,
  REFUSED,
  sentenceOf,
  sentencesOf,
} from './if-now-words.ts';

/** What it asks. */
export interface IfNowDeps extends Omit<GateDeps, 'store'> {
  readonly store: Pick<Store, 'events' | 'silences' | 'health' | 'machine' | 'deliveries'>;
}

/** One of the two: where it would go, when, and what stands in the way. */
export interface IfNowForecast {
  readonly text: string;
  /** The same, to follow "If it came now:". */
  readonly outcome: string;
  /** Somebody would hear of it now, or as its first steps are due. */
  readonly reaches: boolean;
  readonly sends: readonly IfNowSend[];
}

/** What would happen, in words and in rows. */
export interface IfNow {
  /** Unix ms. */
  readonly at: number;
  /** Both in one or two sentences. */
  readonly text: string;
  /** The session heard of last: it is taken to come from there. Null: there is none. */
  readonly from: Pick<Event, 'agent' | 'project' | 'sessionId'> | null;
  readonly prompt: IfNowForecast;
  readonly urgent: IfNowForecast;
  /** What else is so now: away, quiet hours, mutes, channels that fail or that no route names. */
  readonly notes: readonly { readonly channel: string | null; readonly text: string }[];
}

/** Latest events among which one of a session is looked for. */
const LATEST = 20;

const NOWHERE = { place: null, cwd: null, project: null, branch: null, sessionId: null } as const;

/** What it would be like: a permission as clients ask for it, and a session that fails. */
const KINDS = {
  prompt: { kind: 'agent.waiting', detail: 'permission', urgency: 'normal', abnormal: false },
  urgent: { kind: 'session.failed', detail: 'unknown', urgency: 'urgent', abnormal: true },
} as const;

function sampleOf(which: keyof typeof KINDS, last: Event | null, now: number): Event {
  const nothing = { message: null, reason: null, presetText: null, hookEvent: null, attributes: {} };
  const { agent, host, user, place, cwd, project, branch, sessionId } = last ?? {
    agent: 'generic',
    ...HERE,
    ...NOWHERE,
  };
  const from = { agent, host, user, place, cwd, project, branch, sessionId };
  return { id: `if-now-${which}`, ...from, ...nothing, ...KINDS[which], at: now };
}

/** Where routes ask who or where it is, it matters from which session it comes. */
function dependsOnPlace({ routes }: Config): boolean {
  const keys = ['agent', 'cwd', 'project', 'branch', 'host', 'user', 'session'] as const;
  return routes.some(({ match = {} }) => keys.some((key) => match[key] !== undefined));
}

/** "Claude in shop". */
const whereFrom = ({ agent, project }: Event): string =>
  `${agentTitle(agent)}${project === null ? '' : ` in ${project}`}`;

interface Known {
  readonly gate: GateFacts;
  readonly health: ReadonlyMap<string, ChannelHealth>;
  /** Channels whose last message was given up. */
  readonly refused: ReadonlySet<string>;
  readonly config: Config;
  readonly now: number;
}

async function sendOf(planned: PlannedDelivery, event: Event, known: Known, deps: IfNowDeps): Promise<IfNowSend> {
  const { channel, step, due, only, heldBy } = planned;
  const { now, gate, health } = known;
  const audience = gate.profiles.get(channel)?.audience ?? 'records';
  const row = { channel, step, audience, only, at: due, until: null };
  const isNow = due <= now || (heldBy !== undefined && !isGroupHold(heldBy));
  const verdict = isNow
    ? await askGateOfPlan({ ...planned, due: now }, event, gate, deps)
    : forecast(gatedPlan(planned, event), gate, due);
  if (verdict.verdict === 'hold')
    return { ...row, state: 'held', until: verdict.until, why: verdict.by === QUIET_HOLD ? QUIET : MUTE };
  if (verdict.verdict === 'wait') {
    const why = isNow ? verdict.note.replace(WAITS, '') : QUIET; // of a time that is named nothing else is foreseen
    return { ...row, state: 'waits', until: verdict.until, why };
  }
  const failing = health.get(channel);
  if (failing?.state === 'failing')
    return { ...row, state: 'failing', until: failing.probeAt, why: failing.error ?? '' };
  if (known.refused.has(channel)) return { ...row, state: 'failing', why: REFUSED };
  return { ...row, state: 'goes', why: '' };
}

async function forecastOf(which: keyof typeof KINDS, last: Event | null, known: Known, deps: IfNowDeps) {
  const { now, config, gate } = known;
  const { profiles, silences, home } = gate;
  const event = sampleOf(which, last, now);
  const facts = { ...noFacts(home), profiles, silences };
  const { plan, verdicts } = decideStored(event, { facts, config, now });
  const sends = await Promise.all(plan.map((planned) => sendOf(planned, event, known, deps)));
  const none = verdicts.find(({ stage, verdict }) => stage === 'route' && verdict === 'stop')?.note;
  if (config.channels.length === 0) return { sends, none: 'no channel is set up' };
  return { sends, none: none === undefined ? null : plainRoutes(none) };
}

/** Of each channel the last message that it took or was given up on, where it was given up on: a test that failed, too. */
async function refusedLast(store: IfNowDeps['store'], { channels }: Config): Promise<readonly Delivery[]> {
  const last = channels.map(({ name }) => store.deliveries({ channel: name, states: ['sent', 'dead'], limit: 1 }));
  return (await Promise.all(last)).flat().filter(({ state }) => state === 'dead');
}

/** Asks the gate as a worker would, presence and "do not disturb" of this machine only where a route depends on them. */
export async function ifNow(deps: IfNowDeps): Promise<IfNow> {
  const { store } = deps;
  const now = deps.now();
  const config = deps.config();
  const [gate, healths, events, machine] = await Promise.all([
    gateFacts(deps, now),
    store.health(),
    store.events({ limit: LATEST }),
    store.machine(),
  ]);
  const last = events.findLast(({ event }) => event.sessionId !== null)?.event ?? null;
  const refused = await refusedLast(store, config);
  const known = {
    gate,
    config,
    now,
    health: new Map(healths.map((one) => [one.channel, one])),
    refused: new Set(refused.map(({ channel }) => channel)),
  };
  const [prompt, urgent] = await Promise.all([
    forecastOf('prompt', last, known, deps),
    forecastOf('urgent', last, known, deps),
  ]);
  const from = last === null || !dependsOnPlace(config) ? null : whereFrom(last);
  const routed = routedChannels(config);
  const unrouted = config.channels.map(({ name }) => name).filter((name) => !routed.has(name));
  const context = { from, health: known.health, now };
  const forecast = (subject: string, plan: IfNowPlan): IfNowForecast => ({
    sends: plan.sends,
    text: sentenceOf(subject, plan, context),
    outcome: outcomeWords(plan, context),
    reaches: reaches(plan),
  });
  return {
    at: now,
    text: sentencesOf(prompt, urgent, context),
    from: last === null ? null : { agent: last.agent, project: last.project, sessionId: last.sessionId },
    prompt: forecast('A prompt', prompt),
    urgent: forecast('Something urgent', urgent),
    notes: notesOf({ gate, health: known.health, away: awayAt(machine, now)?.until ?? null, unrouted, refused, now }),
  };
}
