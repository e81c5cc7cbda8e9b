// Asks every detector that applies, all together within 150 ms, and keeps the conclusion for a second.
import { runProgram } from '../lib/run-program.ts';
import type { Place } from '../model/place.ts';
import { type Presence, UNKNOWN_PRESENCE } from '../model/presence.ts';
import { conclude } from './conclude.ts';
import type { Detector, Finding, Run } from './detector.ts';
import { viewersOf } from './viewers.ts';

/** All answers are in by then, or nothing is known, ms. */
const LIMIT = 150;
/** Deliveries of one moment share an answer, ms. */
const FRESH = 1_000;

/** Which session, and what is wanted. */
export interface PresenceQuestion {
  readonly place: Place | null;
  /** The agent's process; null: not known. */
  readonly pid: number | null;
  /** False: never find out what the person looks at. */
  readonly looking: boolean;
  /** ms. */
  readonly idle: number;
}

/** Never rejects: what fails is unknown. */
export type Detection = (question: PresenceQuestion) => Promise<Presence>;

interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Unix ms. */
  readonly now: () => number;
}

/** Nothing runs and nothing is kept while nobody asks. */
export function createDetection(detectors: readonly Detector[], machine: Machine): Detection {
  const recent = new Map<string, { readonly at: number; readonly presence: Promise<Presence> }>();
  return (question) => {
    const at = machine.now();
    for (const [key, known] of recent) if (Math.abs(at - known.at) >= FRESH) recent.delete(key);
    const key = JSON.stringify(question);
    const known = recent.get(key);
    if (known) return known.presence;
    const presence = detect(detectors, question, machine).catch(() => UNKNOWN_PRESENCE);
    recent.set(key, { at, presence });
    return presence;
  };
}

async function detect(detectors: readonly Detector[], question: PresenceQuestion, machine: Machine): Promise<Presence> {
  const { place, pid, idle } = question;
  if (place === null) return UNKNOWN_PRESENCE;
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(), LIMIT);
  try {
    const run = runner(machine.env, time.signal);
    const viewers = await viewersOf(place, pid, run);
    const subject = { place, viewers, idle, platform: machine.platform, now: machine.now() };
    const isWanted = ({ about }: Pick<Finding, 'about'>): boolean => question.looking || about !== 'looking';
    const asked = detectors.filter(
      (detector) => detector.about.some((about) => isWanted({ about })) && detector.applies(subject),
    );
    const found = await Promise.all(asked.map((detector) => detector.detect(subject, run).catch(() => [])));
    const late: readonly Finding[] = time.signal.aborted
      ? [{ about: 'looking', answer: 'unknown', evidence: `not everything answered within ${LIMIT} ms` }]
      : [];
    return conclude([...late, ...found.flat().filter(isWanted)]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same question of several detectors is asked once. */
function runner(own: Machine['env'], signal: AbortSignal): Run {
  const asked = new Map<string, Promise<string | null>>();
  return (program, args, env) => {
    const key = JSON.stringify([program, args, env]);
    const answer =
      asked.get(key) ??
      runProgram({ program, args, env: { ...own, ...env }, limit: LIMIT, signal }).then(({ code, stdout }) =>
        code === 0 ? stdout : null,
      );
    asked.set(key, answer);
    return answer;
  };
}
