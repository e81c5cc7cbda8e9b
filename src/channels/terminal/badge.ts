// The badge: what is open in a pane, kept in the pane's own user options, so that it is right after a restart and goes with the pane. Pure.
import type { Event, Kind } from '../../model/event/event.ts';

/** What the status line reads: `waiting`, `failed`, `finished` or `ended`. Constants only: text in a status line may hold styles. */
export const BADGE_OPTION = '@belfry';
/** The open notifications, each as ID=WORD. */
export const OPEN_OPTION = '@belfry_open';

/** Most important first. */
const WORDS = ['waiting', 'failed', 'finished', 'ended'] as const;
type Word = (typeof WORDS)[number];

/** Most that are kept of one pane: the latest. */
const MAX_SESSIONS = 20;

const OF: Readonly<Partial<Record<Kind, Word>>> = {
  'agent.waiting': 'waiting',
  'agent.finished': 'finished',
  'subagent.finished': 'finished',
  'session.failed': 'failed',
  'session.ended': 'ended',
};

/** The word for an event of a session; null: it is of none, so nothing would ever take the badge away. */
export function badgeWord({ kind, abnormal }: Pick<Event, 'kind' | 'abnormal'>): Word | null {
  const word = OF[kind] ?? null;
  return word === 'ended' && abnormal ? 'failed' : word;
}

/** What is open, as the option has it: oldest first. */
export type OpenBadges = ReadonlyMap<string, Word>;

/** Reads the option; what is not of us is left out. */
export function readBadges(option: string): OpenBadges {
  const pairs = option.split(' ').map((pair) => /^([\w-]{1,80})=([a-z]{1,10})$/.exec(pair));
  return new Map(
    pairs.flatMap((found): [string, Word][] => {
      const word = WORDS.find((known) => known === found?.[2]);
      return found?.[1] && word ? [[found[1], word]] : [];
    }),
  );
}

/** With this notification, or without it where `word` is null. */
export function withBadge(open: OpenBadges, id: string, word: Word | null): OpenBadges {
  const rest = [...open].filter(([known]) => known !== id);
  return new Map(word === null ? rest : [...rest, [id, word] as const].slice(-MAX_SESSIONS));
}

/** Words for `tmux`, which set both options of a pane, or take them away. */
export function badgeCommand(pane: string, open: OpenBadges): readonly string[] {
  const badge = WORDS.find((word) => [...open.values()].includes(word));
  const set = (name: string, value: string | undefined): readonly string[] =>
    value === undefined ? ['set-option', '-pqu', '-t', pane, name] : ['set-option', '-pq', '-t', pane, name, value];
  const list = [...open].map(([id, word]) => `${id}=${word}`).join(' ');
  return [...set(OPEN_OPTION, list || undefined), ';', ...set(BADGE_OPTION, badge)];
}
