// Settings changed while events come: what was acknowledged is delivered, and `reload` answers once the settings are in force.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openReader } from '../../src/store/open-reader.ts';
import { sendCommand } from '../../src/ipc/client.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';

const RELOADS = 12;

/** Asks the daemon without a program in between. */
async function ask<T>(home: string, op: string, args: Record<string, unknown> = {}): Promise<T> {
  const reached = await sendCommand(pathsBelow(home), op, args, 60_000);
  if (reached.state !== 'answered') throw new Error(`the daemon is ${reached.state}`);
  for await (const reply of reached.replies) {
    if ('error' in reply) throw new Error(reply.error);
    if (reply.done) return reply.data as T;
  }
  throw new Error('no answer');
}

/** Signed with a secret that lies in a file, so that taking the settings over takes a moment. */
function settings(home: string, receiver: Receiver, names: readonly string[]): string {
  const secret = join(home, 'signing-secret');
  writeFileSync(secret, 'a secret of the tests');
  return [
    ...names.map(
      (n) =>
        `[channels.${n}]\ntype = "webhook"\nurl = "${receiver.url}/${n}"\nallow_private = true\nsecret = "file:${secret}"`,
    ),
    `[[routes]]\nto = [${names.map((n) => `"${n}"`).join(', ')}]\n`,
  ].join('\n');
}

/** Writes config.toml in one step: a file cut off in the middle of being written says something else. */
function writeSettings(home: string, toml: string): void {
  writeFileSync(join(home, 'config.new'), toml, { mode: 0o600 });
  renameSync(join(home, 'config.new'), join(home, 'config.toml'));
}

interface Tested {
  readonly results: readonly { readonly channel: string; readonly ok: boolean; readonly error: string | null }[];
}

test('a channel that was just added takes a test as soon as `reload` has answered', async () => {
  const receiver = await startReceiver();
  const home = temporaryFolder();
  writeSettings(home, settings(home, receiver, ['c0']));
  const daemon = await startDaemon(home);
  const failed: string[] = [];
  for (let i = 1; i <= RELOADS; i++) {
    writeSettings(home, settings(home, receiver, [`c${i}`, 'kept']));
    await ask(home, 'reload');
    const { results } = await ask<Tested>(home, 'test', { channels: [`c${i}`] });
    for (const { ok, error } of results) if (!ok) failed.push(`c${i}: ${error}`);
  }
  expect(failed).toEqual([]);
  await daemon.stop();
});

test('inputs that come during reloads reach every channel their routes named: no dead letters', async () => {
  const receiver = await startReceiver();
  const home = temporaryFolder();
  writeSettings(home, settings(home, receiver, ['kept', 'c0']));
  const daemon = await startDaemon(home);
  let over = false;
  let sent = 0;
  const sending = Promise.all(
    ['s1', 's2', 's3'].map(async (session) => {
      for (let n = 0; !over; n++) {
        const input = { session_id: session, cwd: '/tmp', hook_event_name: 'Notification' };
        const asks = { notification_type: 'permission_prompt', message: `${session} asks ${n}` };
        const ran = await hook(home, JSON.stringify({ ...input, ...asks }), ['--agent', 'claude']);
        expect(ran.code).toBe(0);
        sent++;
      }
    }),
  );
  for (let i = 1; i <= RELOADS; i++) {
    writeSettings(home, settings(home, receiver, ['kept', `c${i}`]));
    await ask(home, 'reload');
    const before = sent;
    await until(() => sent > before + 2, 'the senders to go on');
  }
  over = true;
  await sending;
  const kept = (): number =>
    receiver.requests.filter(({ path, body }) => path === '/kept' && body.includes('asks')).length;
  await until(() => kept() >= sent, 'every input to arrive');
  const store = await openReader(pathsBelow(home).database, 'all');
  const ended = async () =>
    (await store.deliveries({ limit: 5_000 })).map(({ channel, state }) => `${channel} ${state}`);
  await until(async () => (await ended()).every((end) => / (sent|dead)$/.test(end)), 'every delivery to end');
  const all = await ended();
  await store.close();
  expect(all.filter((end) => end.endsWith(' dead'))).toEqual([]);
  expect(all.length).toBe(2 * sent);
  expect((await belfry(home, ['stop'])).code).toBe(0);
  await daemon.stop();
});
