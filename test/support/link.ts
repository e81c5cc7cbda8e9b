// What the tests of the link have in common: facts of each type, and by what facts are made.
import type { Fact } from '../../src/model/link/fact.ts';
import type { Making } from '../../src/link/row-facts.ts';
import { createRedactor } from '../../src/redaction/index.ts';
import { NOON, SESSION, WHERE } from './made.ts';

/** At noon, with no patterns of one's own. */
export const making = (more: Partial<Making> = {}): Making => ({
  level: 'full',
  redactor: createRedactor({ patterns: [] }),
  now: NOON,
  displayName: (agent) => agent,
  ...more,
});

const timed = { at: NOON, age_ms: 0 };

/** One of each type. */
export const FACTS = {
  machine: { type: 'machine', ...timed, version: 1, name: 'box', away_until: null, clock: NOON, versions: {} },
  event: {
    ...{ type: 'event', id: 'event-0001', ...timed, kind: 'agent.waiting', detail: 'permission', urgency: 'urgent' },
    ...{ abnormal: false, agent: 'generic', ...WHERE, session: 'session-1', project: 'payments', branch: 'main' },
    ...{ cwd: '/src/payments', message: 'may I?', reason: null, attributes: {} },
  },
  session: {
    ...{ type: 'session', ...timed, agent: 'generic', ...WHERE, session: SESSION.sessionId, version: 3 },
    ...{ state: 'waiting', since: NOON, waiting_for: 'permission', title: 'fix it', project: 'payments' },
    ...{ branch: 'main', parent: null, running: [] },
  },
  notification: {
    ...{ type: 'notification', id: 'ntf_0001', ...timed, version: 1, events: ['event-0001'], kind: 'agent.waiting' },
    ...{ urgency: 'urgent', state: 'open', revision: 1, content: { title: 'payments: waits', body: 'may I?' } },
    ...{ acknowledged: null, resolved: null, seen: null, presence: null },
  },
  question: {
    ...{ type: 'question', id: 'qst_0001', ...timed, version: 1, notification: 'ntf_0001', kind: 'permission' },
    subject: {
      ...{ agent: 'generic', session: 'session-1', cwd: '/src/payments', subagent: null, tool: 'Bash' },
      ...{ text: 'npm test', choices: [], partial: null },
    },
    ...{ input_hash: 'abc', deadline: NOON + 3_600_000, state: 'open', answered_by: null },
  },
  mute: {
    ...{ type: 'mute', id: 'mute-0001', ...timed, version: 1 },
    ...{ match: { session: null, cwd: null, all: false }, until: null },
  },
} as const satisfies Readonly<Record<Fact['type'], Fact>>;
