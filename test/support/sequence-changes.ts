// Changes to a sequence that must not change what people are told: inputs late, twice, out of order, and the daemon started again.
import type { Arrival, RecordedSequence, Sequence, Step } from './sequence.ts';
import { whatOf } from './sequence.ts';

/** Seconds by which a hook's arrival may be late: others that began after it may come before. */
const LATE = 0.15;
/** A submission that was not acknowledged is repeated after this. */
const AGAIN = 0.5;

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
    const once: Step = { ...step, at, began: step.at, id: `changed-${String(index).padStart(4, '0')}` };
    return random() < 0.2 ? [once, { ...once, at: at + random() * AGAIN }] : [once];
  });
  const end = Math.max(...steps.map(({ at }) => at));
  if (random() < 0.6) steps.push({ at: random() * (end + 12), restart: true });
  return { ...sequence, steps: steps.sort((a, b) => a.at - b.at) };
}

/** Breaches of what holds whatever the order: no false finish, no end untold, nothing twice. */
export function breaches({ expected }: RecordedSequence, arrivals: readonly Arrival[]): readonly string[] {
  // A failure and the end that it brings may come in either order: one alarm, whichever of the two it is.
  const named = (what: string): string => (what === 'abnormal' || what.startsWith('failed:') ? 'alarm' : what);
  const got = arrivals.filter(({ operation }) => operation === 'send').map((arrival) => named(whatOf(arrival)));
  const wanted = expected.map(({ what }) => named(what));
  const count = (list: readonly string[], what: string): number => list.filter((one) => one === what).length;
  const twice = [...new Set(got)]
    .filter((what) => count(got, what) > count(wanted, what))
    .map((what) => `too much: ${what}, ${count(got, what)} times`);
  return wanted.includes('alarm') && !got.includes('alarm') ? [...twice, 'untold: alarm'] : twice;
}
