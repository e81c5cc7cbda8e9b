// Installs the probe agent as whoever runs it: node --import tsx install-probe.ts HOME FILE. Prints the error's line.
import { installHooks } from '../../installers/install.ts';
import { probe, probeTools } from './probe.ts';

const [home = '', path = ''] = process.argv.slice(2);
await installHooks(probe, { main: { path, at: ['hooks'] }, override: null }, probe.events, probeTools(home)).catch(
  (error: Error) => process.stdout.write(`${error.message}\n`),
);
