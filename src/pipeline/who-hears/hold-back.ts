// First sends that wait: for what the client may yet decide by itself, and for the end of mutes and quiet hours, where a digest takes their place.
import { forecast, gatedPlan, type GateFacts } from '../../dispatch/gate.ts';
import { covers, longest, muteEnd } from '../../dispatch/silence.ts';
import { clockTime } from '../../model/time/clock-time.ts';
import type { GateVerdict } from '../../model/delivery/gate.ts';
import { LONGEST_HOLD, QUIET_HOLD } from '../../model/delivery/holds.ts';
import type { PlannedDelivery } from '../../model/delivery/delivery.ts';
import type { Verdict } from '../../model/event/verdict.ts';
import { releaseTimer } from '../../dispatch/batch-plan.ts';
import { addVerdict, type HearingContext, type PipelineState, type Stage } from '../pipeline-state.ts';
import type { Incoming } from '../../model/event/incoming.ts';

/** When that is settled. An input of a clock that was ahead waits no longer for that. */
export function settlesOf(incoming: Incoming, now: number): PipelineState['settles'] {
  const ms = incoming.type === 'hook' ? incoming.parsed.settlesWithinMs : null;
  return ms === null ? null : { at: Math.min(incoming.receivedAt, now) + ms, ms };
}

/** The same of an event that is stored, by its verdicts. */
export function settledOf(verdicts: readonly Verdict[], at: number): PipelineState['settles'] {
  const { waits: ms } = verdicts.find(({ waits }) => waits !== undefined) ?? {};
  return ms === undefined ? null : { at: at + ms, ms };
}

/** Moves the sends to when it is settled; whatever resolves the notification before takes them back, also from records: nobody was asked. */
export const settle: Stage = (state) => {
  const { settles, plan } = state;
  if (settles === null || plan.length === 0) return state;
  const later = plan.map(
    (planned): PlannedDelivery => ({
      ...planned,
      due: Math.max(planned.due, settles.at),
      unless: planned.unless === 'none' ? 'resolved' : planned.unless,
    }),
  );
  const { ms } = settles;
  const note = `sent in ${ms / 1_000} s, unless something before then makes it moot`;
  const verdict: Verdict = { stage: 'settle', verdict: 'change', note, waits: ms };
  return { ...state, plan: later, verdicts: [...state.verdicts, verdict] };
};

/** What the gate is given for a plan. */
export function gateFactsOf({ facts, config }: Pick<HearingContext, 'facts' | 'config'>): GateFacts {
  const { silences, profiles, home } = facts;
  return { silences, profiles, home, quiet: config.quiet, failing: new Set() };
}

/** What the gate says of a planned send of the event's own notification, at the time at which it is due. */
export const gateOf = (
  planned: PlannedDelivery,
  { event }: Pick<PipelineState, 'event'>,
  facts: GateFacts,
): GateVerdict => forecast(gatedPlan(planned, event), facts, planned.due);

interface HeldBack {
  readonly next: PipelineState;
  readonly held: readonly PlannedDelivery[];
  /** No first send is left. */
  readonly whole: boolean;
}

/** Holds back the first sends that `facts` keep back; null: none. What follows them is planned after that. */
function holdBack(state: PipelineState, facts: GateFacts, now: number): HeldBack | null {
  const holds = new Map<string, number>();
  const plan = state.plan.map((planned): PlannedDelivery => {
    const hold = planned.heldBy === undefined ? gateOf(planned, state, facts) : null;
    if (hold?.verdict !== 'hold') return planned;
    const due = hold.until ?? now + LONGEST_HOLD;
    holds.set(hold.by, Math.max(due, holds.get(hold.by) ?? 0));
    return { ...planned, due, heldBy: hold.by, unheldDue: planned.due };
  });
  if (holds.size === 0) return null;
  const held = plan.filter(({ heldBy }) => heldBy !== undefined);
  const timers = [...holds].map(([by, due]) => releaseTimer(by, due));
  const next = { ...state, plan, timersToSet: [...state.timersToSet, ...timers] };
  return { next, held, whole: held.length === plan.length };
}

const channelsOf = (held: readonly PlannedDelivery[]): string =>
  [...new Set(held.map(({ channel }) => channel))].join(', ');

/** Holds back what goes to muted channels. */
export const silence: Stage = (state, { facts, config, now }) => {
  if (facts.silences.length === 0) return state;
  const found = facts.silences.filter((s) => covers(s, state.event, facts.home, now));
  if (found.length === 0) return addVerdict(state, 'silence', 'pass', 'not muted');
  const quiet = { ...config.quiet, hours: [] };
  const back = holdBack(
    state,
    gateFactsOf({ facts: { ...facts, silences: found }, config: { ...config, quiet } }),
    now,
  );
  if (back === null) return addVerdict(state, 'silence', 'pass', 'not muted where it goes');
  const [only] = found;
  const by = longest(found.filter((s) => s.channel === null)) ?? only;
  const end = by?.until != null ? `${muteEnd(by)}; \`belfry unmute\` ends it` : 'until you run `belfry unmute`';
  if (back.whole) return addVerdict(back.next, 'silence', 'stop', `muted ${end}`);
  return addVerdict(back.next, 'silence', 'change', `muted on ${channelsOf(back.held)} ${end}`);
};

/** Holds back the first sends that are due in quiet hours. */
export const quiet: Stage = (state, context) => {
  const { facts, config, now } = context;
  if (config.quiet.hours.length === 0) return state;
  const back = holdBack(state, gateFactsOf({ facts: { ...facts, silences: [] }, config }), now);
  if (back === null) return addVerdict(state, 'quiet', 'pass', 'not in quiet hours');
  const { next, held, whole } = back;
  const until = clockTime(next.plan.find(({ heldBy }) => heldBy === QUIET_HOLD)?.due ?? now);
  if (whole) return addVerdict(next, 'quiet', 'stop', `held by quiet hours until ${until}, then in a digest`);
  return addVerdict(next, 'quiet', 'change', `quiet hours until ${until}: held on ${channelsOf(held)}`);
};
