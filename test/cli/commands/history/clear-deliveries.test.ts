// `belfry deliveries clear --dead`: what was given up fails no more, and stays to be read and to be sent again.
import { expect, test } from 'vitest';
import { belfry, startDaemon } from '../../../support/programs.ts';
import { startReceiver } from '../../../support/receiver.ts';
import { homeWith, webhookTo } from '../../../support/thread.ts';

test('given up by two channels: one is cleared, then the rest; why still says it, replay still sends it', async () => {
  const receiver = await startReceiver();
  receiver.answer = () => 400;
  const other = `[channels.second]\ntype = "webhook"\nurl = "${receiver.url}"\nallow_private = true\n`;
  const home = homeWith(webhookTo(receiver.url, other).replace('["audit"]', '["audit", "second"]'));
  await startDaemon(home);
  const sending = await belfry(home, ['send', 'hello', '--json']);
  expect(sending.code).toBe(5);
  const sent = JSON.parse(sending.stdout) as { readonly id: string };
  const failed = async (): Promise<string> => (await belfry(home, ['deliveries', '--failed'])).stdout;
  expect((await failed()).trim().split('\n')).toHaveLength(2);

  const one = await belfry(home, ['deliveries', 'clear', '--dead', '--channel', 'second']);
  expect([one.code, one.stdout]).toEqual([0, 'cleared 1 delivery that was given up\n']);
  expect(await failed()).toMatch(/^[\d: -]+\t\S+\taudit\tgiven up after 1 attempt\t.*\n$/);
  const rest = await belfry(home, ['deliveries', 'clear', '--dead', '--json']);
  expect([rest.code, JSON.parse(rest.stdout)]).toEqual([0, { cleared: 1 }]);
  expect(await failed()).toBe('');
  expect((await belfry(home, ['deliveries', 'clear', '--dead'])).stdout).toBe('nothing was given up\n');

  expect((await belfry(home, ['deliveries'])).stdout.match(/\tcancelled\t/g)).toHaveLength(2);
  expect((await belfry(home, ['why', sent.id])).stdout).toMatch(/second: cancelled {2}hello\n.*answered 400.*given up/);
  expect((await belfry(home, ['replay', '--dead'])).stdout).toBe('nothing to replay\n');
  receiver.answer = () => 200;
  expect((await belfry(home, ['replay', sent.id])).stdout).toMatch(/audit: delivered again/);
});
