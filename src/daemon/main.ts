// The first file of the daemon's process: V8's flags stand before the rest is loaded, since loading it is what first makes the space for young objects grow.
import { fileURLToPath } from 'node:url';
import { keepSmall } from './shared/v8-flags.ts';

keepSmall();

const { runProcess } = await import('./process.ts');
await runProcess(fileURLToPath(import.meta.url));
