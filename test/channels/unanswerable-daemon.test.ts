// A message of what waits that could not be put to people here says why, where its channel carries buttons; and nowhere else.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { permission, questionsIn, startAsk } from '../support/answering.ts';
import { startTelegramWay } from '../support/answer-ways-telegram.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry, hook, type RunningDaemon, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';

async function start(answer: string) {
  const way = await startTelegramWay();
  const home = temporaryFolder();
  const config = `[answer]\n${answer}\n[channels.phone]\n${way.lines}\nallow_private = true\n[[routes]]\nto = ["phone"]\n`;
  writeFileSync(join(home, 'config.toml'), config, { mode: 0o600 });
  const daemon = await startDaemon(home);
  await until(way.isListening, 'the receiver');
  const seen = (part: string) => () => way.shown().findLast(({ text }) => text.includes(part));
  return { way, home, daemon, seen };
}

/** Both hooks of one input, as the client starts them. */
async function asked(home: string, input: Record<string, unknown>, agent = 'claude'): Promise<void> {
  const asks = startAsk(home, JSON.stringify(input), ['--agent', agent]);
  await Promise.all([asks.ended, hook(home, JSON.stringify(input), ['--agent', agent])]);
}

const ONLY = 'It can be answered at its terminal only: ';

/** A kind that is left out, a hook that may not hold its terminal. */
const REFUSED: readonly (readonly [what: string, answer: string, agent: string, why: string])[] = [
  ['a kind left out', 'channels = ["phone"]\nkinds = ["question"]', 'claude', '[answer] kinds leaves out permission'],
  ['nobody is away', 'channels = ["phone"]', 'qwen', 'its hook waits only while you are away (belfry away)'],
];

test.each(REFUSED)('%s: the message, `why` and `answer` say so', async (_, answer, agent, why) => {
  const { home, seen } = await start(answer);
  await asked(home, permission('one', 'touch one.txt'), agent);
  const message = await until(() => {
    const found = seen('touch one.txt')();
    return found?.text.includes(ONLY) ? found : undefined;
  }, 'the reason');
  expect(message.text).toContain(`${ONLY}${why}.`);
  expect(message.buttons.map(({ label }) => label)).not.toContain('Allow');
  const [question] = await questionsIn(home);
  expect(question).toMatchObject({ state: 'closed', closed: why });

  expect((await belfry(home, ['why', question?.notificationId ?? ''])).stdout).toContain(`${ONLY}${why}`);
  const given = await belfry(home, ['answer', question?.notificationId ?? '', 'allow']);
  expect([given.code, given.stderr]).toEqual([5, expect.stringContaining(why)]);
  const pending = await belfry(home, ['pending']);
  expect(pending.stdout).toContain(`${ONLY}${why}`);
  const ran = { ...permission('one', 'touch one.txt'), hook_event_name: 'PostToolUse' };
  await hook(home, JSON.stringify(ran), ['--agent', agent]);
  const settled = await until(() => {
    const found = seen('touch one.txt')();
    return found?.text.includes('✓') ? found : undefined;
  }, 'the end');
  expect(settled.text).not.toContain(ONLY); // nothing waits there any more
});

test('a hook that left before a stalled daemon heard it: the message says so', async () => {
  const { home, daemon, seen } = await start('channels = ["phone"]');
  await stalled(daemon, () => asked(home, permission('one', 'touch one.txt')));
  await until(() => seen('touch one.txt')()?.text.includes(`${ONLY}its hook left before Belfry was ready.`), 'why');
  expect(seen('touch one.txt')()?.buttons.map(({ label }) => label)).not.toContain('Allow');
});

async function stalled({ pid }: RunningDaemon, during: () => Promise<void>): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  try {
    await during();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

test('where no channel carries buttons, nothing is said', async () => {
  const { home, seen } = await start('channels = []\nkinds = ["question"]');
  await asked(home, permission('one', 'touch one.txt'));
  await until(seen('touch one.txt'), 'the message');
  // Asked after it, so that whatever the first was to bring has come.
  await asked(home, permission('two', 'touch two.txt'));
  await until(seen('touch two.txt'), 'the message');
  expect(seen('touch one.txt')()?.text).not.toContain(ONLY);
  expect(await questionsIn(home)).toEqual([]);
});
