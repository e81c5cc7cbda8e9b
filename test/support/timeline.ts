// A stretch of time in a moment: inputs go in at their times, and what each channel gets comes out with its time. The pipeline, its
// timers and the store are real; in the place of the workers what is due is judged as they do, and counts as sent.
import { acknowledge } from '../../src/decisions/acknowledge.ts';
import { batchHandler } from '../../src/decisions/batch/let-out.ts';
import { reminderHandler } from '../../src/decisions/next-reminder.ts';
import type { TimerHandler } from '../../src/model/event/verdict.ts';
import { createDueJudge } from '../../src/daemon/channels/due-judge.ts';
import { judgeDelivery, judgeDue } from '../../src/delivery/policy/judge-delivery.ts';
import { unpark } from '../../src/delivery/policy/paused-deliveries.ts';
import { endOverdue } from '../../src/delivery/retention.ts';
import { channelProfiles } from '../../src/daemon/channels/channel-profiles.ts';
import { type LeasedDelivery, NO_RETRIES, type Only } from '../../src/model/delivery/delivery.ts';
import type { Event } from '../../src/model/event/event.ts';
import { isDigestHold } from '../../src/model/delivery/holds.ts';
import { NOT_OVER } from '../../src/model/notification/notification.ts';
import { type Presence, UNKNOWN_PRESENCE } from '../../src/model/presence/presence.ts';
import { COMMAND_LINE } from '../../src/model/notification/resolution.ts';
import type { Settlement } from '../../src/store/contract.ts';
import { presenceReader } from '../../src/daemon/presence/presence.ts';
import { muteHold } from '../../src/dispatch/silence.ts';
import { releaseTimer } from '../../src/dispatch/batch-plan.ts';
import { decidingOf } from './deciding.ts';
import { type PipelineHarness, pipelineHarness } from './pipeline-harness.ts';
import { settleOne } from './store-writes.ts';
import { timersDue } from './timers.ts';

/**
 * "ask a": what happens, and in which session; "ask a@api": of another project. "down desk": a channel is failing until it is "up".
 * "look": at the session's terminal, and at work there; "read": there, with no input from then on. "mute 60 desk": one channel. "sleep 60": the machine is suspended, "clock 60" its clock is set.
 */
export type Action =
  | `${'ask' | 'notice' | 'finish' | 'prompt' | 'answer' | 'fail' | 'end'} ${string}`
  | 'ack'
  | 'mute'
  | `mute ${number}`
  | 'mute all'
  | `mute ${'desk' | 'phone'}`
  | `mute ${number} ${'desk' | 'phone' | 'all'}`
  | `sleep ${number}`
  | 'unmute'
  | 'digest'
  | `${'down' | 'up'} ${string}`
  | 'look'
  | 'read'
  | 'leave'
  | `away ${number}`
  | 'back'
  | `clock ${number}`
  | 'answer elsewhere'
  | 'restart';

/** `at`: seconds after the beginning. */
export type Moment = readonly [at: number, action: Action];

const INPUTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ask: { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: 'make' } },
  notice: { hook_event_name: 'Notification', notification_type: 'attention' },
  finish: { hook_event_name: 'Stop' },
  prompt: { hook_event_name: 'UserPromptSubmit', prompt: 'Go on' },
  answer: { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: { command: 'make' }, tool_response: {} },
  fail: { hook_event_name: 'StopFailure', error: 'rate_limit' },
  end: { hook_event_name: 'SessionEnd', reason: 'error' },
};

/** One thing that a channel got. */
export interface Got {
  /** Seconds after the beginning. */
  readonly at: number;
  readonly channel: string;
  readonly operation: string;
  readonly title: string;
  readonly notificationId: string;
  readonly step: number;
  readonly events: readonly string[];
}

export interface Timeline {
  readonly harness: PipelineHarness;
  readonly got: readonly Got[];
  /** When each notification was acknowledged first, Unix ms: an answer later on has its own time. */
  readonly seen: ReadonlyMap<string, number>;
  /** Unix ms of second 0. */
  readonly began: () => number;
  /** Goes to this second, with everything that is due on the way. */
  to(second: number): Promise<void>;
  act(action: Action): Promise<void>;
}

/** Ms between two looks at what time alone ends. */
const UPKEEP = 3 * 3_600_000;
/** Most turns at one moment; more is a loop. */
const MOST_TURNS = 1_000;

/** `settings`: config.toml. `start`: Unix ms of second 0. */
export async function timeline(settings: string, start?: number): Promise<Timeline> {
  const harness = await pipelineHarness(settings);
  const { store, clock } = harness;
  if (start !== undefined) clock.jump(start - clock.now());
  /** Second 0; moves with a clock that is set. */
  let began = clock.now();
  let isLooking = false;
  /** The last input of somebody who only reads, Unix ms; null: they go on typing. */
  let lastInput: number | null = null;
  let upkeep = began + UPKEEP;
  const got: Got[] = [];
  const seen = new Map<string, number>();
  const down = new Set<string>();
  let asked = 0;
  /** The latest prompt of each session. */
  const last = new Map<string, number>();
  const config = () => harness.config;
  const deciding = decidingOf(store, clock.now, config);
  const deps = { ...deciding, store, config, home: '/home/dev' };
  const handlers: Readonly<Record<string, TimerHandler>> = {
    remind: reminderHandler(deps),
    batch: batchHandler(deps),
    hold: harness.runner.releaseHeld,
  };
  const channels = harness.config.channels.map(({ name }) => name);

  const saidBy = presenceReader({ ...deps, detect: async () => UNKNOWN_PRESENCE });
  const presence = async (event: Event, only: Only): Promise<Presence> => {
    const said = await saidBy(event, only);
    if (said.away || !isLooking) return said;
    return {
      ...said,
      away: false,
      looking: 'yes',
      idle: 'no',
      input: lastInput ?? clock.now(),
      idleAfter: harness.config.presence.idle,
      evidence: 'its pane is in front of you',
    };
  };
  const judge = createDueJudge({
    ...deps,
    deciding,
    presence,
    wakeTimers: () => undefined,
    doNotDisturb: async () => false,
  });
  const end = (row: LeasedDelivery, state: Settlement['state'], why: string | null): Promise<boolean> =>
    settleOne(store, row.id, row.token, {
      attempt: null,
      state,
      due: clock.now(),
      lastReason: null,
      lastError: why,
      counters: NO_RETRIES,
      receipt: { id: row.id },
    });
  const recorder = {
    postpone: async (row: LeasedDelivery, to: Parameters<Parameters<typeof judgeDue>[1]['postpone']>[1]) =>
      void (await store.postpone(row.id, row.token, { ...to, now: clock.now() })),
    drop: async (row: LeasedDelivery, state: 'cancelled' | 'superseded', why: string) =>
      void (await end(row, state, why)),
  };

  async function deliver(channel: string): Promise<number> {
    if (down.has(channel)) {
      await store.transition({ channel, from: ['pending'] }, 'paused', clock.now());
      return 0;
    }
    const { audience = 'records', updates: update = false } = channelProfiles(harness.config).get(channel) ?? {};
    const rows = await store.claim(channel, { now: clock.now(), leaseMs: 1_000, limit: 100 });
    for (const row of rows) {
      const verdict = await judgeDelivery(row, { audience, can: { update, retract: true } }, store);
      if ('drop' in verdict) await recorder.drop(row, verdict.drop, verdict.why);
      else {
        const due = await judgeDue(row, recorder, { judge, clock });
        if (!due.goesOut) continue;
        const { operation, content, notificationId, step } = row;
        const at = (clock.now() - began) / 1_000;
        got.push({ at, channel, operation, title: content.title, notificationId, step, events: content.events });
        await end(row, 'sent', due.note);
      }
    }
    return rows.length;
  }

  async function turn(): Promise<boolean> {
    const timers = (await timersDue(store, clock.now(), 100)).filter(({ kind }) => Object.hasOwn(handlers, kind));
    for (const timer of timers) await handlers[timer.kind]?.(timer);
    const counts = await Promise.all(channels.map(deliver));
    return timers.length > 0 || counts.some((count) => count > 0);
  }

  async function settle(): Promise<void> {
    await harness.settle();
    for (let turns = 0; await turn(); turns++) if (turns > MOST_TURNS) throw new Error('this moment never ends');
  }

  async function nextDue(): Promise<number> {
    const open = channels.filter((channel) => !down.has(channel));
    const dues = await Promise.all(open.map((channel) => store.nextDue(channel)));
    const timers = (await timersDue(store)).filter(({ kind }) => Object.hasOwn(handlers, kind));
    return Math.min(...dues.map((due) => due ?? Infinity), ...timers.map(({ due }) => due));
  }

  async function to(second: number): Promise<void> {
    const end = began + second * 1_000;
    for (;;) {
      await settle();
      const due = Math.min(await nextDue(), upkeep);
      if (due > end) break;
      clock.jump(Math.max(1, due - clock.now()));
      if (clock.now() < upkeep) continue;
      await endOverdue(store, clock.now());
      upkeep = clock.now() + UPKEEP;
    }
    if (end > clock.now()) clock.jump(end - clock.now());
    await settle();
  }

  async function hook(what: string, where: string): Promise<void> {
    const [session = '', project = 'payments'] = where.split('@');
    if (what === 'ask' || what === 'notice') asked += 1;
    const own =
      what === 'notice'
        ? { message: `Look at ${asked}` }
        : what === 'ask' || what === 'answer'
          ? { tool_use_id: `${session}-${what === 'ask' ? asked : (last.get(session) ?? 0)}` }
          : {};
    if (what === 'ask') last.set(session, asked);
    await harness.feed(
      { cwd: `/home/dev/src/${project}`, ...INPUTS[what], ...own, session_id: session },
      { agent: 'claude' },
    );
  }

  async function mute(words: readonly string[]): Promise<void> {
    const now = clock.now();
    const seconds = words.find((word) => /^\d/.test(word));
    const until = seconds === undefined ? null : now + Number(seconds) * 1_000;
    const channel = words.find((word) => channels.includes(word)) ?? null;
    const scope = { session: null, cwd: null, channel };
    await store.putSilence({ id: `m${now}`, until, ...scope, all: words.includes('all'), createdAt: now });
  }

  async function act(action: Action): Promise<void> {
    const [what = '', which = ''] = action.split(' ');
    const now = clock.now();
    if (action === 'ack' || action === 'answer elsewhere') {
      const [open] = (await store.notifications({ states: action === 'ack' ? ['open'] : NOT_OVER })).slice(-1);
      const who = { by: 'dev', via: COMMAND_LINE, ...(action === 'ack' ? {} : ({ answered: true } as const)) };
      const done = open ? await acknowledge(open.id, who, deciding) : null;
      const rows = done?.result === 'acknowledged' ? done.decision.notifications : [];
      for (const { id, state } of rows) if (state === 'acknowledged' && !seen.has(id)) seen.set(id, now);
    } else if (Object.hasOwn(INPUTS, what)) await hook(what, which);
    else if (what === 'mute') await mute(action.split(' ').slice(1));
    else if (action === 'unmute') {
      const muted = await store.silences(now);
      await store.removeSilences({});
      for (const silence of muted) await store.setTimer(releaseTimer(muteHold(silence), now), now);
    } else if (action === 'look' || action === 'read' || action === 'leave') {
      isLooking = action !== 'leave';
      lastInput = action === 'read' ? clock.now() : null;
    } else if (what === 'away') {
      await store.setMachine({ since: now, until: now + Number(which) * 1_000 });
      for (const channel of channels) await store.judgeAgain(channel, now);
    } else if (action === 'back') await store.setMachine({ back: now });
    else if (what === 'sleep') clock.jump(Number(which) * 1_000);
    else if (what === 'clock') {
      clock.jump(Number(which) * 1_000);
      began += Number(which) * 1_000;
      upkeep += Number(which) * 1_000;
      await store.compensateClock(clock.now());
    } else if (action === 'digest') {
      const held = await store.deliveries({ heldBy: true, states: ['pending'] });
      const holds = new Set(held.flatMap(({ heldBy }) => heldBy ?? []).filter(isDigestHold));
      for (const hold of holds) await store.setTimer(releaseTimer(hold, now, true), now);
    } else if (what === 'down') down.add(which);
    else if (what === 'up') {
      down.delete(which);
      const { audience = 'records' } = channelProfiles(harness.config).get(which) ?? {};
      await unpark(which, audience, { store, clock, judge, log: () => undefined });
    } else if (action === 'restart') await store.reclaimLeases({ now });
    await settle();
  }

  return { harness, got, seen, began: () => began, to, act };
}

/** Plays all of it, and goes on until `end`, seconds: "12 desk send title" of each. */
export async function play(
  settings: string,
  moments: readonly Moment[],
  end: number,
  start?: number,
): Promise<readonly string[]> {
  const line = await timeline(settings, start);
  for (const [at, action] of moments) {
    await line.to(at);
    await line.act(action);
  }
  await line.to(end);
  return line.got.map(({ at, channel, operation, title }) => `${at} ${channel} ${operation} ${title}`);
}
