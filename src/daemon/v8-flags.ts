// What V8 is to save: memory while there is little to do, time under load.
import { setFlagsFromString } from 'node:v8';

const ALWAYS = [
  // The space for young objects grows to 48 MB under load and is never given back. At its first size a backlog is drained a sixth
  // more slowly, in 40 MB less.
  '--semi-space-growth-factor=1',
  // The heap is compacted, and given back at rest, rather than grown: 3 MB after two hundred events.
  '--optimize-for-size',
];

interface Compiling {
  /** The optimising compilers are 4 MB of code that is mapped from the moment it first runs, and a dozen events were enough. */
  readonly sparing: readonly string[];
  /** V8's own values. */
  readonly fast: readonly string[];
}

/** V8 as Node 20 has it counts ticks, later ones count calls. */
const BY_TICKS: Compiling = {
  sparing: ['--ticks-before-optimization=60', '--max-bytecode-size-for-early-opt=0', '--interrupt-budget=2000000'],
  fast: ['--ticks-before-optimization=3', '--max-bytecode-size-for-early-opt=81', '--interrupt-budget=135168'],
};
/** Times a function's length, in bytes of at most 60,000, in 31 bits. */
const BY_CALLS: Compiling = {
  sparing: [
    '--invocation-count-for-turbofan=30000',
    '--invocation-count-for-maglev=20000',
    '--invocation-count-for-osr=20000',
  ],
  fast: ['--invocation-count-for-turbofan=3000', '--invocation-count-for-maglev=400', '--invocation-count-for-osr=800'],
};
const FIRST_BY_CALLS = 12;
const COMPILING = Number.parseInt(process.versions.v8, 10) < FIRST_BY_CALLS ? BY_TICKS : BY_CALLS;

/** A V8 without one of these flags prints a line on standard error and continues. */
const set = (flags: readonly string[]): void => {
  for (const flag of flags) setFlagsFromString(flag);
};

/** What is compiled without optimising takes a MB: a process that mostly sleeps does without. */
const spare = (): void => set([...COMPILING.sparing, '--no-sparkplug']);

/** Keeps the process small: before anything else is loaded or has made the heap grow. */
export function keepSmall(): void {
  set(ALWAYS);
  spare();
}

/** While there is so much to do that speed is worth its memory. V8 reads these flags whenever it decides what to compile. */
export const compileForSpeed = (busy: boolean): void => (busy ? set([...COMPILING.fast, '--sparkplug']) : spare());
