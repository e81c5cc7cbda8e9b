// What the stages pass along, and the facts and settings they look at.
import type { ChannelProfiles } from '../model/channel/profile.ts';
import type { AgentConfig, Config } from '../model/settings/config.ts';
import type { Event } from '../model/event/event.ts';
import type { Incoming } from '../model/event/incoming.ts';
import type { Notification } from '../model/notification/notification.ts';
import type { PlannedCancel, PlannedDelivery } from '../model/delivery/delivery.ts';
import type { ClientProcess, SessionRecord } from '../model/session/session.ts';
import type { Silence, Timer, Verdict } from '../model/event/verdict.ts';
import type { NotificationFacts } from '../dispatch/notification-facts.ts';
import type { Join, MatchedRoute } from './who-hears/timing.ts';

/** Who was notified of an event. */
export interface Notified {
  /** Channels that it was sent to, or that it is on its way to. */
  readonly channels: readonly string[];
  /** Channels for which it is held back, to come in a digest. */
  readonly held: readonly string[];
  /** Its notification is over. */
  readonly resolved: boolean;
}

/** What was known before, read by the pipeline runner; the stages look nothing up themselves. */
export interface Facts {
  /** The session's row before this input. */
  readonly record: SessionRecord | null;
  /** Sessions that are subagents of this one and still run. */
  readonly children: readonly SessionRecord[];
  /** The session whose finish waits for this one, a subagent, to be over, and for no other any more. */
  readonly waitingParent: SessionRecord | null;
  /** The latest event of this input's fingerprint, if any. */
  readonly same: Event | null;
  /** Events of the same session id and kind, by other agents, of the last moments. */
  readonly reportsByOthers: readonly Event[];
  /** Of the events that the session's memory names and of those above, by event id; one that is missing was sent to nobody. */
  readonly notified: ReadonlyMap<string, Notified>;
  /** The session's notifications that are not over, oldest first; those that this input cannot end may be left out. */
  readonly open: readonly NotificationFacts[];
  /** Ids of the oldest of them all, which give way: none, where one more is not more than a session keeps open. */
  readonly surplus: readonly string[];
  /** Open notifications of groups and storms that those above are in. */
  readonly groups: readonly Notification[];
  /** The timers of groups and storms, by the name of what they hold. */
  readonly groupTimers: ReadonlyMap<string, Timer>;
  /** When the session's first sends of the last minute were planned, Unix ms by channel. */
  readonly plannedSends: ReadonlyMap<string, readonly number[]>;
  /** Of the configured channels. */
  readonly profiles: ChannelProfiles;
  readonly silences: readonly Silence[];
  readonly place: { readonly project: string | null; readonly branch: string | null };
  /** The client's process, seen alive by the daemon itself. */
  readonly process: ClientProcess | null;
  /** The X11 id of the window in which this prompt was given; null: not looked for, or not known. */
  readonly window: string | null;
  readonly home: string;
}

/** Of an event of which nothing is known before. */
export function noFacts(home: string): Facts {
  return {
    record: null,
    children: [],
    waitingParent: null,
    same: null,
    reportsByOthers: [],
    notified: new Map(),
    open: [],
    surplus: [],
    groups: [],
    groupTimers: new Map(),
    plannedSends: new Map(),
    profiles: new Map(),
    silences: [],
    place: { project: null, branch: null },
    process: null,
    window: null,
    home,
  };
}

/** A notification that this input resolves: its row as it is to stand, and what is to be done on its channels. */
export interface Resolved {
  readonly notification: Notification;
  readonly plan: readonly PlannedDelivery[];
}

/** What an event needs for it to be decided who hears of it: plain data, so that it can be decided elsewhere. */
export interface Happened {
  readonly event: Event;
  readonly verdicts: readonly Verdict[];
  /** False once a stage has said stop: nobody is notified (now). */
  readonly active: boolean;
  readonly timersToSet: readonly Timer[];
  /** Until then (Unix ms), `ms` after it came, the client may yet decide by itself, or explain; null: it is settled. */
  readonly settles: { readonly at: number; readonly ms: number } | null;
  /** Channels that got the same in another form, with the events that they got it for. */
  readonly alreadyNotified: { readonly channels: readonly string[]; readonly by: readonly string[] };
}

/** An event on its path through the stages that decide who hears of it. */
export interface PipelineState extends Happened {
  /** The routes that it takes; empty before the stage `route`. */
  readonly routes: readonly MatchedRoute[];
  /** The route whose group a channel's first send joins; a channel without one gets it alone. */
  readonly grouped: ReadonlyMap<string, MatchedRoute>;
  /** What a channel's first send goes out together with, unless something else holds it. */
  readonly joins: ReadonlyMap<string, Join>;
  /** What is to be sent of this event's notification; empty: nobody is notified (now). */
  readonly plan: readonly PlannedDelivery[];
}

/** One input on its path through all stages. */
export interface InputState extends PipelineState {
  readonly incoming: Incoming;
  readonly fingerprint: string | null;
  /** The session's row after this input; null when it concerns none. */
  readonly record: SessionRecord | null;
  readonly timersToClear: readonly string[];
  readonly resolved: readonly Resolved[];
  /** What earlier notifications have unsent and nobody needs any more. */
  readonly cancel: readonly PlannedCancel[];
}

/** What every stage is given besides the state. `now`: Unix ms. */
export interface StageContext {
  readonly facts: Facts;
  readonly config: Config;
  readonly now: number;
}

/** What is looked at to decide who hears of what happened. */
export interface HearingContext extends Omit<StageContext, 'facts'> {
  readonly facts: Pick<Facts, 'groupTimers' | 'plannedSends' | 'profiles' | 'silences' | 'home'>;
}

/** A stage: pure; it records what it decided as verdicts. */
export type Stage = (state: PipelineState, context: HearingContext) => PipelineState;

/** One of those that decide what happened. */
export type InputStage = (state: InputState, context: StageContext) => InputState;

/** Adds a verdict; `stop` ends the pipeline. */
export function addVerdict<S extends PipelineState>(
  state: S,
  stage: string,
  verdict: Verdict['verdict'],
  note: string,
): S {
  return {
    ...state,
    active: state.active && verdict !== 'stop',
    verdicts: [...state.verdicts, { stage, verdict, note }],
  };
}

const AGENT_DEFAULTS: AgentConfig = { background_wait: 600_000 };

/** `[agents.NAME]`, with what holds where nothing is set. */
export function agentSettings(config: Config, agent: string): AgentConfig {
  return config.agents[agent] ?? AGENT_DEFAULTS;
}
