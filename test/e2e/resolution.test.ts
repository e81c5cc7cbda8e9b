// A prompt answered in the terminal: the built hook reports the tool's end, and the notification is resolved, also across a restart.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hookCommand } from '../../src/runtime/hook-command.ts';
import { bareEnv, type Ran, run, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, homeWith, verified, webhookTo } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const packageDir = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');
const SESSION = { session_id: 'one', cwd: '/src/payments', tool_name: 'Bash', tool_input: { command: 'npm publish' } };
const ask = (toolUse: string) => ({ ...SESSION, hook_event_name: 'PermissionRequest', tool_use_id: toolUse });
const use = (toolUse: string) => ({
  ...SESSION,
  hook_event_name: 'PostToolUse',
  tool_use_id: toolUse,
  tool_response: {},
});

/** Runs the command line that `belfry install` writes. */
function fire(home: string, input: object, marker?: string): Promise<Ran> {
  const command = hookCommand({ form: 'fast', agent: 'claude', node: process.execPath, packageDir, marker });
  return run('/bin/sh', ['-c', command], bareEnv(home), { input: JSON.stringify(input) });
}

interface Body {
  readonly type: string;
  readonly data: { readonly notification: { readonly id: string; readonly revision: number } };
}

test('the webhook hears that it is resolved, and the marker is there exactly as long', async () => {
  const audit = await startReceiver();
  const home = homeWith(webhookTo(audit.url).replace('[channels.audit]', '[channels.audit]\nupdates = true'));
  const marker = join(home, 'run', 'prompt-open');
  const daemon = await startDaemon(home);

  expect((await fire(home, use('u0'), 'prompt-open')).code).toBe(0);
  await fire(home, ask('u1'));
  const [sent] = (await audit.waitFor(1)).map((request) => verified(request) as unknown as Body);
  expect(sent).toMatchObject({ type: 'agent.waiting', data: { notification: { revision: 1 } } });
  expect(existsSync(marker)).toBe(true);

  await daemon.stop();
  expect(existsSync(marker)).toBe(true);
  await startDaemon(home);
  expect(existsSync(marker)).toBe(true);

  expect(await fire(home, use('u1'), 'prompt-open')).toMatchObject({ code: 0, stdout: '' });
  const [, resolved] = (await audit.waitFor(2)).map((request) => verified(request) as unknown as Body);
  expect(resolved).toMatchObject({
    type: 'notification.resolved',
    data: { notification: { id: sent?.data.notification.id, revision: 2 } },
  });
  await until(() => !existsSync(marker), 'the marker to go');

  // Neither the guarded one nor the answer is an event, and a guarded hook leaves nothing behind.
  await fire(home, use('u2'), 'prompt-open');
  const events = await asked<{ hook_event: string }[]>(home, ['events']);
  expect(events.map(({ hook_event }) => hook_event)).toEqual(['PermissionRequest']);
  expect((await asked<{ pending_entries: number }>(home, ['status'])).pending_entries).toBe(0);
});
