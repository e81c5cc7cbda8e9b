// What a route is for, in plain words, for whoever asks why it sent nothing: "project shop and what is urgent".
import { joinAnd, oneLine } from '../../lib/text/text.ts';
import type { Kind } from '../../model/event/event.ts';
import { formatDuration } from '../../model/quantities.ts';
import type { Match } from '../../model/settings/config.ts';

/** Events of each kind, as people call them. */
const EVENTS: Readonly<Record<Kind, string>> = {
  'agent.waiting': 'agents that wait',
  'agent.finished': 'agents that have finished',
  'subagent.finished': 'subagents that have finished',
  'session.ended': 'sessions that end',
  'session.failed': 'sessions that fail',
  'session.idle': 'sessions that are idle',
  'agent.other': "other events of the agents' clients",
  'controls.changed': 'changes of the controls',
  'computer.failed': 'computers that fail',
  'readiness.dropped': 'repositories whose readiness drops',
  'usage.daily': 'the daily usage',
  'channel.failing': 'channels that fail',
  'watch.failing': 'watches that fail',
  'settings.broken': 'settings with a mistake',
  'journal.failing': 'a journal that cannot be written',
  'belfry.upgraded': 'upgrades of Belfry',
  'limit.low': 'limits that are nearly reached',
  'remote.unreachable': 'machines elsewhere that cannot be reached',
  'remote.flooding': 'machines elsewhere that send too much',
  'limit.reached': 'limits that are reached',
  'limit.reset': 'limits that are over',
  test: 'tests',
};

const either = (values: readonly string[] = []): string => values.map((value) => oneLine(value)).join(' or ');

type Given = { readonly [K in keyof Match]-?: NonNullable<Match[K]> };

const WORDS: { readonly [K in keyof Given]: (value: Given[K]) => string } = {
  kind: (kinds) => either(kinds.map((kind) => EVENTS[kind])),
  agent: (names) => `agent ${either(names)}`,
  cwd: (folders) => `folder ${either(folders)}`,
  project: (names) => `project ${either(names)}`,
  branch: (names) => `branch ${either(names)}`,
  host: (names) => `machine ${either(names)}`,
  user: (names) => `user ${either(names)}`,
  session: (ids) => `session ${either(ids)}`,
  abnormal: (isAbnormal) => (isAbnormal ? 'abnormal endings' : 'normal endings'),
  detail: (details) => `events with the detail ${either(details)}`,
  reason: (reasons) => `sessions that end with the reason ${either(reasons)}`,
  hook_event: (names) => `the client's event ${either(names)}`,
  urgency: (urgencies) => `what is ${either(urgencies)}`,
  longer_than: (length) => `turns of ${formatDuration(length)} or more`,
};

const wordsOf = <K extends keyof Given>(key: K, value: Given[K]): string => WORDS[key](value);

/** Of a route's match only these keys, which an event does not have: "route 2 is only for project shop and what is urgent". */
export function onlyForWords(route: number, match: Match, misses: readonly string[]): string {
  const keys = Object.keys(WORDS) as (keyof Match)[]; // the table has every key and no other
  const parts = keys.flatMap((key) => {
    const value = misses.includes(key) ? match[key] : undefined;
    return value === undefined ? [] : wordsOf(key, value);
  });
  // Such an event goes only where a route names its kind.
  if (parts.length === 0) return `route ${route} does not name events of this kind`;
  return `route ${route} is only for ${joinAnd(parts)}`;
}
