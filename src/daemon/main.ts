// The first file of the daemon's process: what V8 saves stands before anything else has made the heap grow.
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// The heap is compacted, and given back at rest, rather than grown.
setFlagsFromString('--optimize-for-size');
// The space for young objects grows to 48 MB under load and is never given back.
setFlagsFromString('--semi-space-growth-factor=1');
// What is compiled without optimising takes a MB or more: a process that mostly sleeps does without.
setFlagsFromString('--no-sparkplug');

const { runProcess } = await import('./run-process.ts');
await runProcess(fileURLToPath(import.meta.url));
