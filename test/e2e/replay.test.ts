// `belfry replay` through the built programs: the outcome of this attempt, and once a channel at each call.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { belfry, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, chatAndWebhookTo, homeWith, webhookTo } from '../support/thread.ts';
import { until } from '../support/wait.ts';

test('a dead letter delivered again is said to be delivered; what waited for a channel that is gone is skipped with words', async () => {
  const receiver = await startReceiver();
  receiver.answer = () => 400;
  const home = homeWith(webhookTo(receiver.url));
  await startDaemon(home);
  expect((await belfry(home, ['send', 'one'])).code).toBe(5);
  receiver.answer = () => 200;
  expect(await belfry(home, ['replay', '--dead'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^audit: delivered again/),
  });
  const [sent] = await asked<{ event_id: string }[]>(home, ['deliveries']);
  for (let times = 3; times <= 5; times++) {
    expect((await belfry(home, ['replay', sent?.event_id ?? ''])).code).toBe(0);
    expect(receiver.requests).toHaveLength(times);
  }

  receiver.answer = () => 401;
  expect((await belfry(home, ['send', 'two'])).code).toBe(5);
  const config = join(home, 'config.toml');
  writeFileSync(config, readFileSync(config, 'utf8').replaceAll('audit', 'other'));
  const gone = async () => {
    const all = await asked<{ state: string; last_error: string | null }[]>(home, ['deliveries', '--failed']);
    return all.length === 1 && all[0]?.state === 'dead' && all[0].last_error === 'there is no channel audit any more';
  };
  await until(gone, 'what waited to be given up');
  expect(await belfry(home, ['replay', '--dead'])).toMatchObject({
    code: 5,
    stdout: expect.stringMatching(/^audit: given up: there is no channel audit any more/),
  });
});

test('what was muted goes to the channels of its routes, also where only one channel was muted', async () => {
  const [chat, other, audit] = [await startReceiver(), await startReceiver(), await startReceiver()];
  const two = chatAndWebhookTo(chat.url, audit.url).replace('["chat", "audit"]', '["chat", "other", "audit"]');
  const home = homeWith(`[channels.other]\ntype = "slack"\nurl = "${other.url}"\nallow_private = true\n${two}`);
  await startDaemon(home);
  await belfry(home, ['mute', '1h']);
  const { id } = await asked<{ id: string }>(home, ['send', 'quiet']);
  expect([chat.requests.length, other.requests.length, audit.requests.length]).toEqual([0, 0, 1]);
  const again = await asked<{ in_progress: number; replayed: { channel: string; state: string }[] }>(home, [
    'replay',
    id,
  ]);
  expect(again.in_progress).toBe(0);
  expect(again.replayed.map(({ channel, state }) => `${channel} ${state}`).sort()).toEqual([
    'audit sent',
    'chat sent',
    'other sent',
  ]);
  await belfry(home, ['unmute']);
  await belfry(home, ['mute', '1h', '--channel', 'other']);
  const partly = await asked<{ id: string }>(home, ['send', 'half']);
  expect([chat.requests.length, other.requests.length]).toEqual([2, 1]);
  expect(await belfry(home, ['replay', partly.id])).toMatchObject({ code: 0 });
  expect([chat.requests.length, other.requests.length]).toEqual([3, 2]);
  await belfry(home, ['unmute']);
  const nowhere = await asked<{ id: string }>(home, ['send', 'x', '--kind', 'agent.other']);
  expect(await belfry(home, ['replay', nowhere.id])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('not sent to anyone, so there is nothing to replay'),
  });
});
