// The checks in the order of the chain, from the settings of agents to the people who are told.
import { agents } from './agents.ts';
import { channels } from './channels.ts';
import type { Check } from './check.ts';
import { clock } from './clock.ts';
import { daemon } from './daemon.ts';
import { hook } from './hook.ts';
import { journal } from './journal.ts';
import { kept } from './kept-files.ts';
import { quarantine } from './quarantine.ts';
import { service } from './service.ts';
import { serviceKey } from './service-key.ts';
import { settings } from './settings.ts';
import { socket } from './socket.ts';
import { spool } from './spool.ts';

export const CHECKS: readonly Check[] = [
  settings,
  agents,
  hook,
  spool,
  quarantine,
  daemon,
  socket,
  journal,
  kept,
  channels,
  serviceKey,
  clock,
  service,
];
