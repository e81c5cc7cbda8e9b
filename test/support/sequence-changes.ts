// Changes to a sequence that must not change what people are told: inputs late, twice, out of order, and the daemon away for a while.
import type { Arrival, Sequence, Step } from './sequence.ts';
import { whatOf } from './sequence.ts';

/** Seconds by which a hook's arrival may be late: others that began after it may come before. */
const LATE = 0.15;
/** A submission that was not acknowledged is repeated after this. */
const AGAIN = 0.5;
/** Seconds that the daemon is away at most. */
const AWAY = 20;

/** Inputs that nothing of their session overtakes: clients wait for the hook of a prompt, and opencode's plugin for each. */
const isAwaited = (client: string, step: Step): boolean =>
  'input' in step &&
  (client === 'opencode' || /^(?:UserPromptSubmit|BeforeAgent)$/.test(String(step.input['hook_event_name'])));

/** The sequence with changes drawn from `random`. */
export function changed(sequence: Sequence, random: () => number): Sequence {
  let earliest = 0;
  const steps = sequence.steps.flatMap((step, index): Step[] => {
    if (!('input' in step)) return [step];
    const at = Math.max(earliest, step.at + (random() < 0.5 ? random() * LATE : 0));
    if (isAwaited(sequence.client, step)) earliest = at;
    const once: Step = { ...step, at, began: step.began ?? step.at, id: `changed-${String(index).padStart(4, '0')}` };
    return random() < 0.2 ? [once, { ...once, at: at + random() * AGAIN }] : [once];
  });
  steps.sort((a, b) => a.at - b.at);
  const end = Math.max(...steps.map(({ at }) => at));
  const chance = random();
  if (chance < 0.4) return { ...sequence, steps };
  // Of a client that came and went while it was away nobody has seen that it lived.
  const first = chance < 0.7 ? 0 : allSeen(steps);
  const from = first + random() * (end + 12 - first);
  return withoutDaemon({ ...sequence, steps }, from, chance < 0.7 ? 0 : random() * AWAY);
}

/** When every process has sent something. */
function allSeen(steps: readonly Step[]): number {
  const first = new Map<string, number>();
  for (const step of steps)
    if ('input' in step && !first.has(step.process ?? 'client')) first.set(step.process ?? 'client', step.at);
  return Math.max(0, ...first.values());
}

/** The daemon stops at a time, and starts again seconds later with what was kept for it, in the order in which the hooks began. */
function withoutDaemon(sequence: Sequence, from: number, seconds: number): Sequence {
  const to = from + seconds;
  const isKept = (step: Step): boolean => 'input' in step && step.at >= from && step.at < to;
  const began = (step: Step): number => ('input' in step ? (step.began ?? step.at) : step.at);
  const kept = sequence.steps.filter(isKept).sort((a, b) => began(a) - began(b));
  const others = sequence.steps.filter((step) => !isKept(step));
  const steps = [...others, { at: from, restart: seconds }, ...kept.map((step) => ({ ...step, at: to }))];
  return { ...sequence, steps: steps.sort((a, b) => a.at - b.at), until: sequence.until + seconds };
}

/** Breaches of what holds whatever the order: no false finish, no end untold, nothing twice, and nothing untold while the daemon runs. */
export function breaches(
  { expected }: Sequence,
  steps: readonly Step[],
  arrivals: readonly Arrival[],
): readonly string[] {
  // A failure and the end that it brings may come in either order: one alarm, whichever of the two it is.
  const named = (what: string): string => (what === 'abnormal' || what.startsWith('failed:') ? 'alarm' : what);
  const got = arrivals.filter(({ operation }) => operation === 'send').map((arrival) => named(whatOf(arrival)));
  const wanted = expected.map(({ what }) => named(what));
  const count = (list: readonly string[], what: string): number => list.filter((one) => one === what).length;
  const twice = [...new Set(got)]
    .filter((what) => count(got, what) > count(wanted, what))
    .map((what) => `too much: ${what}, ${count(got, what)} times`);
  // Who answered while the daemon was away need not be asked.
  const wasAway = steps.some((step) => 'restart' in step && step.restart > 0);
  const due = expected.filter(({ optional }) => optional !== true).map(({ what }) => named(what));
  const untold = [...new Set(due)].filter(
    (what) => (what === 'alarm' || !wasAway) && count(got, what) < count(due, what),
  );
  return [...twice, ...untold.map((what) => `untold: ${what}`)];
}
