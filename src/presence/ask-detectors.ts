// Asks every detector that applies, all together and for no longer than a second, and keeps the conclusion for another.
import { runProgram } from '../lib/programs/run-program.ts';
import type { Only } from '../model/delivery/delivery.ts';
import type { Place } from '../model/session/place.ts';
import { type Presence, UNKNOWN_PRESENCE } from '../model/presence/presence.ts';
import { conclude, isSettled } from './shared/conclude.ts';
import type { Detector, Finding, Run } from './shared/detector.ts';
import { viewersOf } from './shared/terminal-viewers.ts';

/** What has not answered by then is late, ms: nothing that asks is in a hurry, and a busy machine takes its time. */
const LIMIT = 1_000;
/** Deliveries of one moment share an answer, ms. */
const FRESH = 1_000;
/** Two clocks that part by more have seen the machine asleep, or one of them was set, ms. */
const APART = 2_000;

/** Which session, and what is wanted. */
export interface PresenceQuestion {
  readonly place: Place | null;
  /** The agent's process; null: not known. */
  readonly pid: number | null;
  /** False: never find out what the person looks at. */
  readonly looking: boolean;
  /** ms. */
  readonly idle: number;
  /** `away`: whether they were idle matters only for whoever looks. */
  readonly only: Exclude<Only, 'always'>;
}

/** Never rejects: what fails is unknown. */
export type Detection = (question: PresenceQuestion) => Promise<Presence>;

interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Unix ms. */
  readonly now: () => number;
  /** Ms of a clock that nobody sets and that stands still while the machine sleeps. */
  readonly steady: () => number;
}

/** Nothing runs and nothing is kept while nobody asks. */
export function createDetection(detectors: readonly Detector[], machine: Machine): Detection {
  const recent = new Map<string, { readonly at: number; readonly presence: Promise<Presence> }>();
  const steadySince = steadyTime(machine);
  return (question) => {
    const at = machine.now();
    const since = steadySince();
    for (const [key, known] of recent) if (Math.abs(at - known.at) >= FRESH) recent.delete(key);
    const key = JSON.stringify(question);
    const known = recent.get(key);
    if (known) return known.presence;
    const presence = detect(detectors, question, machine, since).catch(() => UNKNOWN_PRESENCE);
    recent.set(key, { at, presence });
    return presence;
  };
}

/** Since when, as far as was seen, the clock has gone on evenly, Unix ms: times without input are counted by clocks of their own, and say nothing of before. */
function steadyTime({ now, steady }: Machine): () => number {
  let apart: number | null = null;
  let since = Number.NEGATIVE_INFINITY;
  return () => {
    const at = now();
    const difference = at - steady();
    if (apart !== null && Math.abs(difference - apart) > APART) since = at;
    apart = difference;
    return since;
  };
}

async function detect(
  detectors: readonly Detector[],
  question: PresenceQuestion,
  machine: Machine,
  steadySince: number,
): Promise<Presence> {
  const { place, pid, idle, only } = question;
  if (place === null) return UNKNOWN_PRESENCE;
  const time = new AbortController();
  // What has answered already is taken before, however late this loop is itself.
  const timer = setTimeout(() => setImmediate(() => time.abort()), LIMIT);
  try {
    const run = runner(machine.env, time.signal);
    const viewers = await viewersOf(place, pid, run);
    const subject = { place, viewers, idle, platform: machine.platform, now: machine.now() };
    const isWanted = ({ about }: Pick<Finding, 'about'>): boolean => question.looking || about !== 'looking';
    const asked = detectors.filter(
      (detector) => detector.about.some((about) => isWanted({ about })) && detector.applies(subject),
    );
    const found = await answers(
      asked.map((detector) => () => detector.detect(subject, run)),
      {
        isEnough: (findings) => isSettled(findings.filter(isWanted), only),
        signal: time.signal,
      },
    );
    const late = time.signal.aborted ? `not everything answered within ${LIMIT / 1_000} s` : null;
    const known = found.filter(isWanted).map(({ input, ...finding }) => ({
      ...finding,
      ...(input !== undefined && input >= steadySince && { input }),
    }));
    return conclude(known, { idleAfter: idle, now: machine.now(), late });
  } finally {
    clearTimeout(timer);
    time.abort(); // what is not waited for any more
  }
}

/** What they found, in their order: of all, or of those that answered before it was enough or the time was up. */
function answers(
  asked: readonly (() => Promise<readonly Finding[]>)[],
  { isEnough, signal }: { readonly isEnough: (findings: readonly Finding[]) => boolean; readonly signal: AbortSignal },
): Promise<readonly Finding[]> {
  return new Promise((resolve) => {
    const found: (readonly Finding[])[] = asked.map(() => []);
    const end = (): void => resolve(found.flat());
    signal.addEventListener('abort', end, { once: true });
    const all = asked.map(async (ask, at) => {
      found[at] = await ask().catch(() => []);
      if (isEnough(found.flat())) end();
    });
    void Promise.all(all).then(end);
  });
}

/** The same question of several detectors is asked once. */
function runner(own: Machine['env'], signal: AbortSignal): Run {
  const asked = new Map<string, Promise<string | null>>();
  return (program, args, env) => {
    const key = JSON.stringify([program, args, env]);
    const answer =
      asked.get(key) ??
      runProgram({ program, args, env: { ...own, ...env }, limit: 2 * LIMIT, signal }).then(({ code, stdout }) =>
        code === 0 ? stdout : null,
      );
    asked.set(key, answer);
    return answer;
  };
}
