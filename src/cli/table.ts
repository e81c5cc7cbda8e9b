// Every command: name, summary and where its code is. Static, so that --help loads nothing else.
import type { Entry } from './entry.ts';

export const TABLE: readonly Entry[] = [
  { name: 'config', summary: 'check, find and show the settings', load: () => import('./config.ts') },
  {
    name: 'api',
    summary: 'the organization’s service: analytics, computers, sessions, limits',
    load: () => import('./api/index.ts'),
  },
  { name: 'reply', summary: 'post a message to the session an event came from', load: () => import('./reply.ts') },
  {
    name: 'sandbox',
    summary: 'run a local stand-in for the organization’s service',
    load: () => import('./sandbox.ts'),
  },
  { name: 'ack', summary: 'stop the escalation of an event', load: () => import('./ack.ts'), hidden: true },
];
