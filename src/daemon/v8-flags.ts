// Keeps the daemon small: imported first, before anything else is loaded or has made the heap grow.
import { setFlagsFromString } from 'node:v8';

// A V8 without one of these flags prints a line on standard error and continues.
for (const flag of [
  // The space for young objects grows to 48 MB under load and is never given back. At its first size a backlog is drained a sixth
  // more slowly, in 40 MB less.
  '--semi-space-growth-factor=1',
  // The heap is compacted, and given back at rest, rather than grown: 3 MB after two hundred events.
  '--optimize-for-size',
  // The optimising compiler is 4 MB of code that is mapped from the moment it first runs, and a dozen events were enough. Only what
  // stays hot, as a backlog does, is worth that.
  '--ticks-before-optimization=60',
  '--max-bytecode-size-for-early-opt=0',
  '--interrupt-budget=2000000',
  // Code compiled without optimising takes a MB and saves a process that mostly sleeps next to nothing.
  '--no-sparkplug',
])
  setFlagsFromString(flag);
