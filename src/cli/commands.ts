// Every command: name, summary and where its code is. Static, so that --help and the bare ones load nothing else.
import type { CommandEntry } from './entry.ts';
import { act as status } from './status.ts';

export const COMMANDS: readonly CommandEntry[] = [
  { name: 'daemon', summary: 'run the daemon in the foreground', load: () => import('./daemon.ts') },
  { name: 'start', summary: 'start the daemon in the background', load: () => import('./start.ts') },
  { name: 'stop', summary: 'stop the daemon once it has finished what is in hand', load: () => import('./stop.ts') },
  { name: 'restart', summary: 'stop the daemon and start it again', load: () => import('./restart.ts') },
  {
    name: 'status',
    summary: 'say whether the daemon runs, and how its channels are',
    load: () => import('./status.ts'),
    bare: status,
  },
  { name: 'send', summary: 'raise an event by hand', load: () => import('./send.ts') },
  { name: 'test', summary: 'one real delivery through each channel', load: () => import('./test.ts') },
  {
    name: 'sessions',
    summary: 'the sessions of all agents: state, since when, waiting for what',
    load: () => import('./sessions.ts'),
  },
  { name: 'events', summary: 'the journal of events', load: () => import('./events.ts') },
  { name: 'event', summary: 'one event, whole', load: () => import('./event.ts') },
  { name: 'deliveries', summary: 'what was sent where, and what failed', load: () => import('./deliveries.ts') },
  { name: 'why', summary: "each stage's verdict on an event, then each attempt", load: () => import('./why.ts') },
  { name: 'replay', summary: 'deliver again', load: () => import('./replay.ts') },
  {
    name: 'explain',
    summary: 'the routes a hook input would take, with nothing sent',
    load: () => import('./explain.ts'),
  },
  { name: 'mute', summary: 'silence notifications for a while', load: () => import('./mute.ts') },
  { name: 'unmute', summary: 'end silences', load: () => import('./unmute.ts') },
  {
    name: 'api',
    summary: 'the organization’s service: analytics, computers, sessions, limits',
    load: () => import('./api/index.ts'),
  },
  { name: 'reply', summary: 'post a message to the session an event came from', load: () => import('./reply.ts') },
  { name: 'service', summary: 'run the daemon from log-in on', load: () => import('./service.ts') },
  {
    name: 'setup',
    summary: 'find agents and channels, install everything, send a test',
    load: () => import('./setup.ts'),
  },
  { name: 'install', summary: 'put the hooks into agents’ settings', load: () => import('./install.ts') },
  { name: 'uninstall', summary: 'take the hooks out again', load: () => import('./uninstall.ts') },
  { name: 'config', summary: 'check, find and show the settings', load: () => import('./config.ts') },
  {
    name: 'sandbox',
    summary: 'run a local stand-in for the organization’s service',
    load: () => import('./sandbox.ts'),
  },
  { name: 'doctor', summary: 'check each link from hook to channel', load: () => import('./doctor.ts') },
  { name: 'completion', summary: 'print a script for your shell’s completion', load: () => import('./completion.ts') },
  { name: 'ack', summary: 'stop the escalation of an event', load: () => import('./ack.ts'), hidden: true },
];
