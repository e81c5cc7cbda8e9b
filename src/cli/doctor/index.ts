// The checks in the order of the chain, from the settings of agents to the people who are notified.
import { agentsCheck } from './agents.ts';
import { channelsCheck } from './channels.ts';
import type { Check } from './check.ts';
import { clockCheck } from './clock.ts';
import { daemonCheck } from './daemon.ts';
import { hookCheck } from './hook.ts';
import { journalCheck } from './journal.ts';
import { kept } from './kept-files.ts';
import { quarantineCheck } from './quarantine.ts';
import { placeCheck } from './place.ts';
import { proxyCheck } from './proxy.ts';
import { remotesCheck } from './remotes.ts';
import { serviceCheck } from './service.ts';
import { serviceKeyCheck } from './service-key.ts';
import { settingsCheck } from './settings.ts';
import { socketCheck } from './socket.ts';
import { spoolCheck } from './spool.ts';

export const CHECKS: readonly Check[] = [
  settingsCheck,
  agentsCheck,
  hookCheck,
  spoolCheck,
  quarantineCheck,
  daemonCheck,
  socketCheck,
  journalCheck,
  kept,
  proxyCheck,
  channelsCheck,
  remotesCheck,
  placeCheck,
  serviceKeyCheck,
  clockCheck,
  serviceCheck,
];
