// Real Claude whose dialog stands in the terminal after a usage limit: Belfry knows until when, and sends nothing, whatever the settings, for the dialog would keep it.
import { expect, test } from 'vitest';
import { until } from '../support/wait.ts';
import { answerWorld } from './answer-world.ts';
import { anthropicLimit } from './model/failures.ts';
import { claude, claudeToday, subscribed, withSettings } from './real/claude.ts';
import {
  eventsIn,
  letGoOn,
  limitsIn,
  openAndFail,
  sessionIn,
  stoppedAs,
  stoppedIn,
  TERMINAL,
} from './stopped-session.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** The reset, and what a busy machine adds, ms. */
const LIMIT = 400_000;
const DIALOG = 'Stop and wait for limit to reset';

interface Row {
  readonly title: string;
  readonly client: typeof claude;
  readonly window: '5h' | '7d';
  /** Unix ms, from now. */
  readonly resetsAt: (now: number) => number;
  readonly name: string;
  readonly words: string;
  /** Whether its reset is waited for. */
  readonly isSoon: boolean;
}

const ROWS: readonly Row[] = [
  {
    title: `${claude.version} after its five hours`,
    client: claude,
    window: '5h',
    resetsAt: (now) => Math.ceil((now + 10_000) / MINUTE) * MINUTE, // its message has no seconds
    name: 'five-hour',
    words: '5-hour limit',
    isSoon: true,
  },
  {
    title: `${claude.version} after its week`,
    client: claude,
    window: '7d',
    resetsAt: (now) => Math.ceil((now + 3 * DAY) / MINUTE) * MINUTE,
    name: 'week',
    words: 'weekly limit',
    isSoon: false,
  },
  {
    title: `${claudeToday.version} after its week`,
    client: claudeToday,
    window: '7d',
    resetsAt: (now) => Math.ceil((now + 3 * DAY) / 1_000) * 1_000,
    name: 'week',
    words: 'weekly limit',
    isSoon: false,
  },
  {
    title: `${claudeToday.version} that is not to go on by itself`,
    client: withSettings(claudeToday, { autoContinueAtUsageLimit: false }),
    window: '5h',
    resetsAt: (now) => Math.ceil(now / 1_000) * 1_000 + 10 * MINUTE,
    name: 'five-hour',
    words: '5-hour limit',
    isSoon: false,
  },
];

test.each(ROWS)('$title', async ({ client, window, resetsAt, name, words, isSoon }) => {
  const w = await answerWorld(['--answer'], subscribed(client));
  if (w === null) return;
  await letGoOn(w);
  let reset = 0;
  const terminal = await openAndFail(w, () => {
    reset = resetsAt(Date.now());
    return anthropicLimit(reset / 1_000, window);
  });
  const resets_at = new Date(reset).toISOString();
  expect(await stoppedAs(w, 'terminal')).toMatchObject({ cause: 'limit', limit: name, resets_at, next_at: null });
  expect((await sessionIn(w)).limit).toEqual({ name, resets_at, goes_on: false });
  expect(await limitsIn(w)).toEqual([{ agent: 'claude', limit: words, resets_at, sessions: 1, continuing: 0 }]);
  const [reached] = await eventsIn(w, 'limit.reached', name);
  expect(reached?.presetText?.body).not.toContain('Belfry lets its sessions go on');
  await terminal.shows(DIALOG);
  w.model.failure = null;
  const before = w.model.prompts.length;
  for (const when of [[], ['--at', 'reset']]) expect(await w.belfry('continue', ...when)).toMatchObject(TERMINAL);
  // What goes on by itself is planned by then.
  if (isSoon) await until(async () => (await eventsIn(w, 'limit.reset', name)).length > 0, 'it to be over', LIMIT);
  expect(await stoppedIn(w)).toMatchObject([{ next: 'terminal', next_at: null }]);
  // Nothing was kept for the moment at which somebody closes the dialog: the next prompt is the one that is typed.
  await terminal.press('Enter', (screen) => !screen.includes(DIALOG));
  await w.prompt(terminal, 'say it once more');
  await until(async () => (await sessionIn(w)).state === 'finished', 'it to finish');
  expect(w.model.prompts.slice(before)).toEqual([expect.stringMatching(/say it once more\s*$/)]);
});
