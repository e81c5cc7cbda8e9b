// What the stages pass along, and the facts and settings they look at.
import type { AgentConfig, Config } from '../model/config.ts';
import type { Event } from '../model/event.ts';
import type { Incoming } from '../model/incoming.ts';
import type { ClientProcess, SessionRecord } from '../model/session.ts';
import type { Silence, Timer, Verdict } from '../model/verdict.ts';

/** An event decided before, and where it was to go; that is known of other agents' events only. */
export interface Planned {
  readonly event: Event;
  readonly channels: readonly string[];
}

/** What was known before, read by the pipeline runner; the stages look nothing up themselves. */
export interface Facts {
  /** The session's row before this input. */
  readonly record: SessionRecord | null;
  /** The latest event of this input's fingerprint, if any. */
  readonly same: Planned | null;
  /** Events of the same session id, of any agent, of the last moments. */
  readonly recent: readonly Planned[];
  readonly silences: readonly Silence[];
  readonly place: { readonly project: string | null; readonly branch: string | null };
  /** The client's process, seen alive by the daemon itself. */
  readonly process: ClientProcess | null;
  readonly home: string;
}

/** Takes back what an earlier event has waiting for these channels. */
export interface Cancel {
  readonly eventId: string;
  readonly channels: readonly string[];
}

/** One input on its path through the stages. */
export interface PipelineState {
  readonly incoming: Incoming;
  readonly event: Event;
  readonly fingerprint: string | null;
  /** The session's row after this input; null when it concerns none. */
  readonly record: SessionRecord | null;
  readonly verdicts: readonly Verdict[];
  /** False once a stage has said stop: nobody is notified (now). */
  readonly active: boolean;
  readonly timersToSet: readonly Timer[];
  readonly timersToClear: readonly string[];
  /** Channels a silence keeps out. */
  readonly mutedChannels: readonly string[];
  /** Channels that got the same in another form. */
  readonly alreadyNotified: readonly string[];
  readonly channels: readonly string[];
  /** Earlier deliveries that this one replaces. */
  readonly cancel: readonly Cancel[];
}

/** What every stage is given besides the state. `now`: Unix ms. */
export interface StageContext {
  readonly facts: Facts;
  readonly config: Config;
  readonly now: number;
}

/** A stage: pure; it records what it decided as verdicts. */
export type Stage = (state: PipelineState, context: StageContext) => PipelineState;

/** Adds a verdict; `stop` ends the pipeline. */
export function addVerdict(
  state: PipelineState,
  stage: string,
  verdict: Verdict['verdict'],
  note: string,
): PipelineState {
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
