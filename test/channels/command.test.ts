// Command: what a program is given, what its end means, and that nothing of it outlives its time. Real programs, written in sh.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { command } from '../../src/channels/command.ts';
import { eventDocument } from '../../src/channels/shared/event-document.ts';
import hostile from '../fixtures/hostile.json' with { type: 'json' };
import { deliver, messageOf, testChannel, toolsOf } from '../contracts/channel.ts';
import { temporaryFolder } from '../support/home.ts';
import { isGone } from '../support/processes.ts';
import { until } from '../support/wait.ts';

const SECRET = 'tk_0123456789abcdef';
const env = { PATH: process.env['PATH'], HOME: '/home/dev', SLACK_TOKEN: SECRET, BELFRY_API_KEY: SECRET };

/** An executable script in a folder of its own. */
function script(body: string): { readonly file: string; readonly folder: string } {
  const folder = temporaryFolder();
  const file = join(folder, 'on event'); // a name that a shell would take for two words
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return { file, folder };
}

const isThere = (file: string) => until(() => existsSync(file), file);

testChannel({
  channel: command,
  input: { run: ['~/bin/on-event', '--quiet'], env: { TOKEN: 'env:TOKEN' } },
  unreachable: async () => ({
    input: { run: [join(temporaryFolder(), 'nowhere')], env: { TOKEN: SECRET } },
    secrets: [SECRET],
  }),
  works: async () => {
    const { file, folder } = script('cat >/dev/null; touch done');
    return { input: { run: [file], cwd: folder, updates: true }, arrived: () => isThere(join(folder, 'done')) };
  },
  hangs: async () => {
    const { file, folder } = script('touch arrived; sleep 600');
    return { input: { run: [file], cwd: folder }, arrived: () => isThere(join(folder, 'arrived')) };
  },
});

describe('the program', () => {
  test('gets the webhook’s document on its standard input, its arguments as they are, and few variables', async () => {
    const { file, folder } = script(
      'cat >input; printf "%s\\n" "$@" >arguments; env >environment; pwd >cwd; echo thanks',
    );
    const odd = ['a b', '$(touch pwned)', '`touch pwned`', '; touch pwned', '*', ''];
    const given = { run: [file, ...odd], cwd: folder, env: { ROOM: 'kitchen sink', HOME: '/elsewhere' } };
    const message = messageOf({ title: '$(touch pwned)', body: 'ünïcödé 👩‍👩‍👧\n"quoted"' });
    expect(await deliver(command, given, message, toolsOf({ env }))).toEqual({ ok: true, answer: 'thanks' });
    const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
    expect(JSON.parse(read('input'))).toEqual(eventDocument(message));
    expect(read('arguments')).toBe(`${odd.join('\n')}\n`);
    expect(read('cwd').trim()).toBe(folder);
    const variables = Object.fromEntries(
      read('environment')
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    for (const ofShell of ['PWD', 'OLDPWD', 'SHLVL', '_']) delete variables[ofShell];
    expect(variables).toEqual({
      PATH: process.env['PATH'],
      HOME: '/elsewhere',
      ROOM: 'kitchen sink',
      BELFRY_DELIVERY_ID: 'dlv_1',
      BELFRY_NOTIFICATION_ID: 'ntf_1',
      BELFRY_OPERATION: 'send',
      BELFRY_KIND: 'agent.finished',
      BELFRY_URGENCY: 'normal',
      BELFRY_DISABLE: '1',
    });
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });

  test('runs in the home folder unless `cwd` says where', async () => {
    const { file } = script('pwd');
    expect(await deliver(command, { run: [file] }, messageOf())).toEqual({ ok: true, answer: homedir() });
  });

  test('is found on the PATH', async () => {
    expect(await deliver(command, { run: ['true'] }, messageOf(), toolsOf({ env }))).toEqual({ ok: true });
  });

  test('hostile text arrives exactly as it is', async () => {
    const { file, folder } = script('cat >input');
    const tools = toolsOf();
    for (const text of hostile) {
      const message = messageOf({ title: text, body: text });
      expect(await deliver(command, { run: [file], cwd: folder }, message, tools)).toMatchObject({ ok: true });
      expect(JSON.parse(readFileSync(join(folder, 'input'), 'utf8'))).toEqual(eventDocument(message));
    }
  });

  test('that does not read its input is no trouble, however long that is', async () => {
    const message = messageOf({ body: 'x'.repeat(4_000_000) });
    expect(await deliver(command, { run: ['true'] }, message, toolsOf({ env }))).toEqual({ ok: true });
  });

  test.each([
    ['not without `updates`', false, { ok: false, reason: 'client' }],
    ['with `updates`', true, { ok: true }],
  ])('is run for changes: %s', async (_name, updates, expected) => {
    const { file, folder } = script('cat >input; echo $BELFRY_OPERATION >operation');
    const resolution = { state: 'resolved', why: 'answered', at: Date.UTC(2026, 5, 1, 13) } as const;
    const message = messageOf({}, { operation: 'retract', revision: 2, resolution });
    expect(await deliver(command, { run: [file], cwd: folder, updates }, message)).toMatchObject(expected);
    expect(existsSync(join(folder, 'input'))).toBe(updates);
    if (!updates) return;
    expect(readFileSync(join(folder, 'operation'), 'utf8')).toBe('retract\n');
    expect(JSON.parse(readFileSync(join(folder, 'input'), 'utf8'))).toMatchObject({
      type: 'notification.resolved',
      data: { notification: { id: 'ntf_1', revision: 2, resolved: { why: 'answered' } } },
    });
  });
});

describe('its end', () => {
  test.each<[string, object]>([
    ['exit 0', { ok: true }],
    ['echo out; echo err >&2; exit 0', { ok: true, answer: 'err' }],
    ['exit 75', { ok: false, reason: 'server', error: 'on event asked for another try (exit code 75)' }],
    [
      'exit 78',
      { ok: false, reason: 'invalid-config', error: 'on event says that its settings are wrong (exit code 78)' },
    ],
    [
      'echo no such room >&2; exit 1',
      { ok: false, reason: 'client', error: 'on event refused this event (exit code 1)', answer: 'no such room' },
    ],
    ['exit 127', { ok: false, reason: 'client' }],
    [
      'kill -9 $$',
      {
        ok: false,
        reason: 'server',
        error: 'on event was ended by a signal; it may have done its work',
        unknown: true,
      },
    ],
    ['sleep 600 & echo started', { ok: true, answer: 'started' }],
  ])('%s', async (body, expected) => {
    expect(await deliver(command, { run: [script(body).file] }, messageOf())).toEqual(
      expect.objectContaining(expected),
    );
  });

  test('too late: it and its children are ended, and it may have done its work', async () => {
    const { file, folder } = script('sleep 600 & echo $! >child; wait');
    const outcome = await deliver(command, { run: [file], cwd: folder, timeout: '1500ms' }, messageOf());
    expect(outcome).toMatchObject({ ok: false, reason: 'timeout', unknown: true });
    const pid = Number(readFileSync(join(folder, 'child'), 'utf8'));
    await until(() => isGone(pid), 'its child to be ended');
  });

  test('what it prints without end is bounded, and without controls or secrets', async () => {
    const { file } = script('printf "\\033[31mno $TOKEN "; yes "$TOKEN" | head -c 3000000; exit 1');
    const outcome = await deliver(command, { run: [file], env: { TOKEN: SECRET } }, messageOf());
    expect(outcome).toMatchObject({ ok: false, reason: 'client' });
    expect(outcome.answer).toMatch(/^no \[redacted\]/);
    expect(outcome.answer?.length).toBeLessThanOrEqual(200);
    expect(JSON.stringify(outcome)).not.toContain(SECRET);
  });
});

describe('a program that cannot be run is a fault of the settings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'belfry-test-'));
  const plain = join(folder, 'plain');
  const broken = join(folder, 'broken');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  test.each<[string, object, RegExp]>([
    ['not there', { run: [join(folder, 'nowhere')] }, /^nowhere does not exist there; correct the path/],
    ['not on the PATH', { run: ['belfry-no-such-program'] }, /not on the daemon's PATH; install it/],
    ['not executable', { run: [plain] }, /^plain is not executable; make it so/],
    ['a folder', { run: [folder] }, /does not exist there|could not be started/],
    ['no folder to run in', { run: ['true'], cwd: join(folder, 'none') }, /^its folder does not exist/],
    ['its interpreter is not there', { run: [broken] }, /^broken could not be started \(ENOENT\)/],
    ['a NUL in what a variable resolved to', { run: ['true'], env: { A: 'a\0b' } }, /could not be started/],
  ])('%s', async (_name, input, error) => {
    writeFileSync(plain, 'text', { mode: 0o600 });
    writeFileSync(broken, '#!/nowhere/sh\n', { mode: 0o755 });
    const outcome = await deliver(command, input, messageOf(), toolsOf({ env }));
    expect(outcome).toMatchObject({ ok: false, reason: 'invalid-config' });
    if (!outcome.ok) expect(outcome.error).toMatch(error);
  });

  test('and `check` says which, without running it', async () => {
    const { file, folder: place } = script('touch ran');
    const found = (input: object) => command.check(command.schema.parse(input), toolsOf({ env }));
    expect(await found({ run: [file], cwd: place })).toEqual([
      { level: 'ok', text: 'on event can be run (not tried)' },
    ]);
    expect(await found({ run: ['sh'] })).toEqual([{ level: 'ok', text: 'sh can be run (not tried)' }]);
    expect(await found({ run: ['belfry-no-such-program'] })).toMatchObject([{ level: 'fail' }]);
    expect(existsSync(join(place, 'ran'))).toBe(false);
  });
});

test.each([
  { run: [] },
  { run: [''] },
  { run: 'program' },
  { run: ['a\0b'] },
  { run: ['true'], env: { 'A=B': 'x' } },
  { run: ['true'], env: { A: 1 } },
  { run: ['true'], cwd: '' },
])('settings that are refused: %j', (input) => {
  expect(command.schema.safeParse(input).success).toBe(false);
});
