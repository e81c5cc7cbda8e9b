// How long a usage limit still lasts, where people look: `sessions`, `pending`, `status` and the HTTP interface's sessions.
import { expect, test } from 'vitest';
import { bareEnv, belfry, startDaemon } from '../support/programs.ts';
import { sample } from '../support/samples.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, homeWith, spool, webhookTo } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const HOUR = 3_600_000;
/** "5:02pm", in UTC. */
const clock = (at: number): string =>
  new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })
    .format(at)
    .replace(/\s/g, '')
    .toLowerCase();

interface Listed {
  readonly state: string;
  readonly waiting_for: string;
  readonly limit: { readonly name: string; readonly resets_at: string; readonly goes_on: boolean };
}

test('two sessions of an account that its limit has stopped', async () => {
  const receiver = await startReceiver();
  const home = homeWith(webhookTo(receiver.url));
  const { input } = sample('claude', 'StopFailure', 'tui-five-hour-limit');
  const resets = Date.now() + 3 * HOUR;
  for (const session of ['one', 'two']) {
    const words = `You've hit your 5-hour limit · resets ${clock(resets)} (UTC)`;
    const own = { ...(input as object), session_id: session, last_assistant_message: words };
    spool(home, own, Date.now() - 1_000, { agent: 'claude', event: 'StopFailure' });
  }
  await startDaemon(home);
  const status = () => asked<{ limits: readonly { sessions: number }[] }>(home, ['status']);
  await until(async () => (await status()).limits[0]?.sessions === 2, 'both sessions');
  const toTheMinute = new Date(resets - (resets % 60_000)).toISOString();
  expect((await status()).limits).toEqual([
    { agent: 'claude', limit: '5-hour limit', resets_at: toTheMinute, sessions: 2, continuing: 0 },
  ]);
  const listed = await asked<readonly Listed[]>(home, ['sessions']);
  expect(listed.map(({ state, waiting_for, limit }) => [state, waiting_for, limit])).toEqual(
    listed.map(() => [
      'failed',
      '5-hour limit',
      { name: 'five-hour', resets_at: expect.any(String), goes_on: expect.any(Boolean) },
    ]),
  );
  expect(listed.map(({ limit }) => new Date(limit.resets_at).toISOString())).toEqual([toTheMinute, toTheMinute]);
  const env = bareEnv(home);
  const shown = async (...args: readonly string[]): Promise<string> => (await belfry(home, args, { env })).stdout;
  const left = /(?:3 h|2 h 5[89] min) left/;
  expect(await shown('sessions')).toMatch(new RegExp(`failed: 5-hour limit, ${left.source}`));
  expect(await shown('status')).toMatch(new RegExp(`claude: 5-hour limit, ${left.source}; 2 sessions stopped`));
  await until(async () => left.test(await shown('pending')), 'the notice among what is open');
});
