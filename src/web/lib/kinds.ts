// Kinds of events in words, in the order of a filter.

export const KIND_WORDS = {
  'agent.waiting': 'Agent waits',
  'agent.finished': 'Agent finished',
  'subagent.finished': 'Subagent finished',
  'session.ended': 'Session ended',
  'session.failed': 'Session failed',
  'session.idle': 'Session idle',
  'agent.other': 'Other hook events',
  'controls.changed': 'Controls changed',
  'computer.failed': 'Computer failed',
  'readiness.dropped': 'Readiness dropped',
  'usage.daily': 'Daily usage',
  'channel.failing': 'Channel failing',
  'watch.failing': 'Watch failing',
  'settings.broken': 'Settings broken',
  'journal.failing': 'Journal failing',
  'belfry.upgraded': 'Belfry upgraded',
  'limit.low': 'Limit nearly reached',
  'remote.unreachable': 'Machine not reachable',
  'remote.flooding': 'Machine sends too much',
  'limit.reached': 'Limit reached',
  'limit.reset': 'Limit over',
  test: 'Test',
} as const;

/** For a filter: value and text. */
export const KIND_OPTIONS: readonly (readonly [string, string])[] = [['', 'All kinds'], ...Object.entries(KIND_WORDS)];

/** A kind in words; a pattern such as `agent.*` stands for itself. */
export const kindWords = (kind: string): string =>
  Object.entries(KIND_WORDS).find(([name]) => name === kind)?.[1] ?? kind;
