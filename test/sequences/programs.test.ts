// The same sequences through the built programs, and those that need real hooks, real processes and real time.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bareEnv, HOOK, hook, startDaemon } from '../support/programs.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { SEQUENCES } from '../support/sequences.ts';
import { asked, homeWith, spool, stop, verified, webhookTo } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const SESSION_KEYS: ReadonlySet<string> = new Set(['session_id', 'sessionId', 'sessionID', 'calling_session_id']);

/** The input with its session ids made the sequence's own. */
function owned(input: unknown, prefix: string): unknown {
  return JSON.parse(
    JSON.stringify(input, (key, value: unknown) =>
      SESSION_KEYS.has(key) && typeof value === 'string' ? `${prefix}/${value}` : value,
    ),
  );
}

/** What the sequences say of the accounts that they share. */
const OF_ACCOUNTS = [expect.stringMatching(/^Claude's 5-hour limit is reached, until /)];

/** What was sent for a sequence; between sessions no order is promised, so that of several is sorted. */
function notified(requests: readonly Received[], prefix: string): readonly string[] {
  const own = requests.map(verified).filter(({ data }) => String(data.event['session_id']).startsWith(`${prefix}/`));
  const titles = own.map(({ data }) => `${data.notification.title} [${String(data.event['urgency'])}]`);
  return new Set(own.map(({ data }) => data.event['session_id'])).size > 1 ? titles.sort() : titles;
}

test('every sequence, taken over from the spool by a real daemon', async () => {
  const audit = await startReceiver();
  const home = homeWith(webhookTo(audit.url));
  const began = Date.now() - 280_000;
  let steps = 0;
  for (const [i, sequence] of SEQUENCES.entries()) {
    let at = began;
    for (const { after, agent, event, input } of sequence.steps) {
      at += after * 1_000 + 1;
      steps += 1;
      spool(home, owned(input, `q${i}`), at, { agent, ...(event === undefined ? {} : { event }) });
    }
  }
  await startDaemon(home);
  const expected = SEQUENCES.reduce((sum, sequence) => sum + sequence.notified.length, OF_ACCOUNTS.length);
  await until(
    async () => (await asked<unknown[]>(home, ['events', '--limit', '1000'])).length >= steps,
    'every decision',
  );
  await audit.waitFor(expected);
  await until(
    async () => (await asked<unknown[]>(home, ['deliveries', '--limit', '1000'])).length === expected,
    'every delivery',
  );
  for (const [i, sequence] of SEQUENCES.entries())
    expect([[...sequence.notified], [...sequence.notified].sort()], sequence.name).toContainEqual(
      notified(audit.requests, `q${i}`),
    );
  const ofAccounts = audit.requests.map(verified).filter(({ data }) => data.event['session_id'] === null);
  expect(ofAccounts.map(({ data }) => data.notification.title)).toEqual(OF_ACCOUNTS);
  expect(audit.requests).toHaveLength(expected);
});

/** A client of this name: runs the hook once with a prompt, then works until it is killed. */
async function standIn(home: string, name: string, session: string): Promise<ChildProcess> {
  const script = join(home, name);
  writeFileSync(script, `#!/bin/sh\n"$NODE" "$HOOK" --agent ${name} < "$INPUT"\necho ready\nread forever\n`);
  chmodSync(script, 0o755);
  const prompt = { session_id: session, hook_event_name: 'UserPromptSubmit', cwd: '/src/payments', prompt: 'Go' };
  const input = join(home, 'prompt.json');
  writeFileSync(input, JSON.stringify(prompt));
  const env = bareEnv(home, { NODE: process.execPath, HOOK, INPUT: input });
  const child = spawn(script, [], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  return child;
}

test.runIf(process.platform === 'linux')(
  'a client killed with -9, beside bursts, prompts in a row and twenty sessions',
  async () => {
    const audit = await startReceiver();
    const home = homeWith(webhookTo(audit.url));
    await startDaemon(home);
    const client = await standIn(home, 'droid', 'killed');
    await until(async () => (await asked<unknown[]>(home, ['sessions'])).length === 1, 'the session');
    client.kill('SIGKILL');
    const killed = Date.now();

    const permission = {
      session_id: 'asks',
      hook_event_name: 'Notification',
      notification_type: 'permission_prompt',
      message: 'May I?',
    };
    const once = JSON.stringify(stop('five'));
    await Promise.all([
      ...Array.from({ length: 5 }, () => hook(home, once)),
      (async () => {
        for (let n = 0; n < 3; n++) {
          await hook(home, JSON.stringify(permission));
          const ended = Date.now();
          await until(() => Date.now() - ended >= 2_000, 'two seconds');
        }
      })(),
    ]);
    for (let wave = 0; wave < 20; wave += 5)
      await Promise.all(Array.from({ length: 5 }, (_, i) => hook(home, JSON.stringify(stop(`twenty-${wave + i}`)))));
    await audit.waitFor(1 + 3 + 20 + 1, 60_000);

    const bodies = audit.requests.map((request) => ({ ...verified(request), arrived: request.at }));
    const of = (session: string) => bodies.filter(({ data }) => String(data.event['session_id']).startsWith(session));
    expect([of('five').length, of('asks').length, of('twenty-').length]).toEqual([1, 3, 20]);
    expect(of('killed').map(({ type, data }) => [type, data.notification.title, data.event['urgency']])).toEqual([
      ['session.failed', 'payments: Droid is gone', 'urgent'],
    ]);
    // 15 s, and what a machine at its limit adds. Of the others the fastest: what the program itself needs.
    expect((of('killed')[0]?.arrived ?? Number.NaN) - killed).toBeLessThan(20_000);
    const delays = of('twenty-').map(({ data, arrived }) => arrived - Date.parse(String(data.event['at'])));
    expect(Math.min(...delays)).toBeLessThan(250);
  },
);
