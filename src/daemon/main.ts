// The first file of the daemon's process: what V8 saves stands before anything else has made the heap grow.
import { fileURLToPath } from 'node:url';
import { keepSmall } from './shared/heap.ts';

keepSmall();
const { runProcess } = await import('./run-process.ts');
await runProcess(fileURLToPath(import.meta.url));
