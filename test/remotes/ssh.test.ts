// Machines elsewhere by a real sshd: from `remote add` to `remote remove`, with what people have in ssh_config and .bashrc.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  clientPrograms,
  type FarMachine,
  farFolder,
  farMachine,
  SETTINGS,
  untilState,
} from '../support/far-machine.ts';
import { temporaryFolder } from '../support/home.ts';
import { until } from '../support/wait.ts';

const EXIT = { usage: 2, auth: 3, notFound: 4, refused: 5, unreachable: 7 };
const asks = (session: string) => ({
  session_id: session,
  hook_event_name: 'Notification',
  notification_type: 'permission_prompt',
  message: 'Claude needs your permission to use Bash',
  cwd: '/srv/api',
  transcript_path: '/etc/hostname',
});

/** Null, and said so, where there is no sshd. */
async function added(given: Parameters<typeof farMachine>[0] = {}): Promise<FarMachine | null> {
  const far = await farMachine(given);
  if (far === null) console.log('sshd is needed (openssh-server)');
  else {
    await far.daemon();
    const { code, stdout, stderr } = await far.belfry('remote', 'add', 'box', '--yes');
    expect([code, stdout], stderr).toEqual([
      0,
      expect.stringMatching(/box is connected; a test came through in \d+ ms/),
    ]);
  }
  return far;
}
interface FarSession {
  readonly state: string;
  readonly pid: number;
  readonly unreachable_since: string | null;
}
const settingsOf = (far: FarMachine): string => join(far.home, '.claude', 'settings.json');

test.each(['bash', 'dash', 'busybox sh', 'zsh', 'fish', 'tcsh'])(
  'a login shell %s, one that prints: added, an event comes through, removed byte for byte',
  async (shell) => {
    const far = await added({ shell, profile: 'echo "Welcome to box"; printf "no line end"' });
    if (far === null) return;
    expect((await far.hook('Notification', asks('s1'))).code).toBe(0);
    const [event] = await until(async () => {
      const all = await far.events('s1');
      return all.length > 0 && all;
    }, 'the event');
    expect(event).toMatchObject({ session_id: 's1', host: 'box', project: 'api' });
    expect((await far.belfry('reply', 's1', 'go on')).stderr).toContain(
      '`belfry remote add box --answer` lets you answer',
    );
    const { stdout } = await far.belfry('remote', 'check', 'box');
    expect(stdout).toMatch(/no harm: Welcome to box/);
    expect(stdout).not.toMatch(/^FAIL .*/m);
    const removed = await far.belfry('remote', 'remove', 'box');
    expect(removed.code, removed.stderr).toBe(0);
    expect(removed.stdout).toContain('Its sessions stay in `belfry sessions` as they were, for up to 12 hours');
    expect(readFileSync(settingsOf(far), 'utf8')).toBe(SETTINGS);
    expect(statSync(settingsOf(far)).mode & 0o777).toBe(0o640);
    expect(existsSync(join(far.home, '.local/share/belfry'))).toBe(false);
    expect(existsSync(join(far.home, '.local/state/belfry'))).toBe(false);
    expect(readFileSync(join(far.own, 'config.toml'), 'utf8')).not.toContain('box');
  },
);

test('one account has one name', async () => {
  const far = await added();
  if (far === null) return;
  const second = await far.belfry('remote', 'add', 'box', '--name', 'other', '--yes');
  expect([second.code, second.stderr]).toEqual([
    EXIT.refused,
    expect.stringContaining('looked after from here already, as box'),
  ]);
  expect(readFileSync(join(far.own, 'config.toml'), 'utf8')).not.toContain('other');
  expect((await far.belfry('remote', 'add', 'box', '--yes')).code).toBe(0);
});

test('check names a clock that is wrong, and files that wait under another name', async () => {
  const programs = temporaryFolder();
  writeFileSync(join(programs, 'date'), '#!/bin/sh\nexec /usr/bin/date -d "10 minutes" "$@"\n', { mode: 0o755 });
  const far = await added({ path: `${programs}:${process.env['PATH'] ?? ''}` });
  if (far === null) return;
  const before = join(farFolder(far), '../built-before');
  mkdirSync(join(before, 'spool'), { recursive: true });
  writeFileSync(join(before, 'spool/77.open'), 'x');
  const { code, stdout } = await far.belfry('remote', 'check', 'box');
  expect(code).toBe(EXIT.refused);
  expect(stdout).toMatch(/^FAIL box: its clock is 10 min ahead: /m);
  expect(stdout).toMatch(/^ok {3}box: 1 file of built-before waits there: /m);
});

test('what happens while it is not connected waits there, and comes in order', async () => {
  const far = await added();
  if (far === null) return;
  expect((await far.belfry('remote', 'disconnect', 'box')).code).toBe(0);
  for (let i = 0; i < 150; i++) await far.hook('Notification', { ...asks('s1'), message: `message ${i}` });
  expect(await far.events('s1')).toEqual([]);
  expect((await far.belfry('remote', 'connect', 'box')).code).toBe(0);
  const all = await until(async () => {
    const found = await far.events('s1');
    return found.length >= 150 && found;
  }, 'all events');
  expect(all.map(({ message }) => message)).toEqual(Array.from({ length: 150 }, (_one, i) => `message ${i}`));
});

test('a client that is killed there is reported; a link that is lost is not its death', async () => {
  const far = await added();
  if (far === null) return;
  const client = far.client();
  client.event('Notification', asks('s1'));
  await until(async () => (await far.events('s1')).length > 0, 'the event');
  const session = async () => (JSON.parse((await far.belfry('sessions', '--json')).stdout) as FarSession[])[0];
  expect(await session()).toMatchObject({ pid: client.pid, unreachable_since: null });
  // Gone while nobody can ask: not known, so not said.
  far.proxy.refuse(true);
  far.proxy.cut();
  await untilState(far, 'waiting');
  client.kill();
  await new Promise((resolve) => setTimeout(resolve, 25_000)); // two checks of processes
  const lost = await session();
  expect(lost?.state).toBe('waiting');
  expect(Date.parse(lost?.unreachable_since ?? '')).toBeLessThan(Date.now() - 20_000);
  expect((await far.belfry('sessions')).stdout).toMatch(/\twaiting: permission, not reachable since \d\d:\d\d\t/);
  expect((await far.belfry('doctor')).stdout).toMatch(/remotes +box: not connected since /);
  far.proxy.refuse(false);
  await untilState(far, 'connected');
  expect((await session())?.unreachable_since).toBeNull();
  await until(async () => (await session())?.state === 'failed', 'the end to be noticed');
  const found = await far.events('s1');
  expect(found.at(-1)).toMatchObject({ kind: 'session.failed', detail: 'vanished', attributes: { remote: 'box' } });
});

test('a turn that fails there without a hook is found at the end of its transcript, of a file below the home folder only', async () => {
  const far = await added({ path: `${clientPrograms()}:${process.env['PATH'] ?? ''}` });
  if (far === null) return;
  expect((await far.belfry('remote', 'add', 'box', '--yes', '--agent', 'codex')).code).toBe(0);
  const outside = join(temporaryFolder(), 'rollout.jsonl');
  const inside = join(far.home, '.codex', 'sessions', 'rollout.jsonl');
  mkdirSync(dirname(inside), { recursive: true });
  const record = (payload: object): string =>
    `${JSON.stringify({ timestamp: new Date().toISOString(), type: 'event_msg', payload })}\n`;
  const [fine, ignored] = [
    { session_id: 'c1', transcript_path: inside },
    { session_id: 'c2', transcript_path: outside },
  ];
  for (const session of [fine, ignored]) {
    const prompted = { ...session, hook_event_name: 'UserPromptSubmit', cwd: '/srv/api', prompt: 'go' };
    expect((await far.hook('UserPromptSubmit', prompted, '.codex/hooks.json')).code).toBe(0);
  }
  await until(async () => (await far.events('c1')).length > 0, 'the prompt');
  for (const file of [inside, outside]) {
    const error = {
      message: 'unexpected status 401',
      codex_error_info: { http_connection_failed: { http_status_code: 401 } },
    };
    appendFileSync(
      file,
      record({ type: 'task_started', turn_id: 't1' }) + record({ type: 'task_complete', turn_id: 't1', error }),
    );
  }
  const failed = await until(
    async () => (await far.events('c1')).find(({ kind }) => kind === 'session.failed'),
    'the failure',
  );
  expect(failed).toMatchObject({ kind: 'session.failed', detail: 'auth', attributes: { evidence: 'transcript' } });
  expect((await far.events('c2')).map(({ title }) => title)).toHaveLength(1);
});

test('a frozen link is ended and made again, and no hook notices', async () => {
  const far = await added();
  if (far === null) return;
  far.proxy.freeze();
  const { ms } = await far.hook('Notification', asks('s1'));
  expect(ms).toBeLessThan(2_000);
  await until(async () => (await far.events('s1')).length > 0, 'the event after the link was made again');
  expect(readdirSync(join(farFolder(far), 'spool'))).toEqual([]);
});

test('200 events while the connection is cut 12 times: each once, in order', async () => {
  const far = await added();
  if (far === null) return;
  let sent = 0;
  const cutting = setInterval(() => {
    if (sent < 200 && far.proxy.connections() < 60) far.proxy.cut();
  }, 1_500);
  try {
    for (; sent < 200; sent++) await far.hook('Notification', { ...asks('s1'), message: `message ${sent}` });
  } finally {
    clearInterval(cutting);
  }
  const all = await until(async () => {
    const found = await far.events('s1');
    return found.length >= 200 && found;
  }, 'all events');
  expect(all.map(({ message }) => message)).toEqual(Array.from({ length: 200 }, (_one, i) => `message ${i}`));
});

test('what cannot be is refused with words and a code, and nothing is changed', async () => {
  const far = await farMachine();
  if (far === null) return console.log('sshd is needed (openssh-server)');
  await far.daemon();
  const said = async (...args: string[]): Promise<[number | null, string]> => {
    const { code, stdout, stderr } = await far.belfry('remote', ...args);
    return [code, stdout + stderr];
  };
  expect(await said('remove', 'nope')).toEqual([EXIT.notFound, expect.stringContaining('no remote "nope"')]);
  expect(await said('add', '-oProxyCommand=touch x', '--yes')).toEqual([EXIT.usage, expect.anything()]);
  expect(await said('add', 'box')).toEqual([EXIT.usage, expect.stringContaining('found on box: claude')]);
  expect(await said('add', 'box', '--dry-run')).toEqual([0, expect.stringContaining('+++')]);
  far.proxy.refuse(true);
  expect(await said('add', 'box', '--yes')).toEqual([EXIT.unreachable, expect.stringContaining('box: ')]);
  far.proxy.refuse(false);
  expect(readFileSync(settingsOf(far), 'utf8')).toBe(SETTINGS);
  expect(existsSync(join(far.home, '.local'))).toBe(false);
  expect(existsSync(join(far.own, 'config.toml'))).toBe(false);
});

test('another laptop is refused until it takes over', async () => {
  const far = await added();
  if (far === null) return;
  await far.belfry('remote', 'disconnect', 'box');
  const served = join(farFolder(far), 'run/served');
  writeFileSync(served, 'another ADA-LAPTOP 1700000000\n');
  const { code, stderr } = await far.belfry('remote', 'connect', 'box');
  expect([code, stderr]).toEqual([
    EXIT.refused,
    expect.stringMatching(/from ADA-LAPTOP since 2023-11-14.*--take-over/),
  ]);
  expect((await far.belfry('remote', 'connect', 'box', '--take-over')).code).toBe(0);
  expect(readFileSync(served, 'utf8')).not.toContain('ADA');
});
