// What V8 is to save: memory while there is little to do, time under load.
import { setFlagsFromString } from 'node:v8';

const ALWAYS = [
  // The space for young objects grows to 48 MB under load and is never given back. At its first size a backlog is drained a sixth
  // more slowly, in 40 MB less.
  '--semi-space-growth-factor=1',
  // The heap is compacted, and given back at rest, rather than grown: 3 MB after two hundred events.
  '--optimize-for-size',
];

/** What V8 is to save: `memory` while there is little to do, `time` while there is much. */
export type Saving = 'memory' | 'time';

type Flags = Readonly<Record<Saving, readonly string[]>>;

// The optimising compilers are 4 MB of code that is mapped from the moment it first runs, and a dozen events were enough. `time`: as V8
// has it by itself. V8 as Node 20 has it counts ticks, later ones count calls.
const BY_TICKS: Flags = {
  memory: ['--ticks-before-optimization=60', '--max-bytecode-size-for-early-opt=0', '--interrupt-budget=2000000'],
  time: ['--ticks-before-optimization=3', '--max-bytecode-size-for-early-opt=81', '--interrupt-budget=67584'],
};
/** V8 multiplies each by a function's length, at most 60,000 bytes, in 31 bits. */
const BY_CALLS: Flags = {
  memory: [
    '--invocation-count-for-turbofan=30000',
    '--invocation-count-for-maglev=20000',
    '--invocation-count-for-osr=20000',
  ],
  time: ['--invocation-count-for-turbofan=3000', '--invocation-count-for-maglev=400', '--invocation-count-for-osr=500'],
};
const FIRST_BY_CALLS = 12;
const FLAGS = Number.parseInt(process.versions.v8, 10) < FIRST_BY_CALLS ? BY_TICKS : BY_CALLS;

/** A V8 without one of these flags prints a line on standard error and continues. */
const set = (flags: readonly string[]): void => {
  for (const flag of flags) setFlagsFromString(flag);
};

/**
 * What V8 saves from now on. It reads these flags when it decides what to compile next; a function that has run before first uses up
 * what it was granted then.
 */
export function save(what: Saving): void {
  // What is compiled without optimising takes a MB: a process that mostly sleeps does without.
  set([...FLAGS[what], what === 'time' ? '--sparkplug' : '--no-sparkplug']);
}

/** Keeps the process small: before anything else is loaded or has made the heap grow. */
export function keepSmall(): void {
  set(ALWAYS);
  save('memory');
}
