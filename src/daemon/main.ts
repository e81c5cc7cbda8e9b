// The first file of the daemon's process: V8's flags stand before the rest is loaded, since finding its files is what first makes V8 optimise.
import { fileURLToPath } from 'node:url';
import { keepSmall } from './shared/v8-flags.ts';

keepSmall();

const { runProcess } = await import('./process.ts');
await runProcess(fileURLToPath(import.meta.url));
