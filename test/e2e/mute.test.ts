// `mute` and the lists for people: what they refuse, how they write times, and what they say when nothing is there.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sendCommand } from '../../src/ipc/client.ts';
import { pathsBelow } from '../support/home.ts';
import { bareEnv, BELFRY, belfry, hook, startDaemon } from '../support/programs.ts';
import { KEYS, onTerminal } from '../support/terminal.ts';
import { asked, chatAndWebhookTo, homeWith, stop } from '../support/thread.ts';
import { until } from '../support/wait.ts';

/** An address where nothing answers. */
const NOBODY = 'http://127.0.0.1:9';
const TIME = /until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d[,;]/;

test('a channel that is not there is refused; times are written as in the lists', async () => {
  const home = homeWith(chatAndWebhookTo(NOBODY, NOBODY).replace('"chat", "audit"', '"chat"'));
  await startDaemon(home);
  expect(await belfry(home, ['mute', '1h', '--channel', 'nope'])).toMatchObject({
    code: 4,
    stdout: '',
    stderr: 'belfry mute: there is no channel "nope"; known: chat, audit\n',
  });
  expect(await belfry(home, ['mute', '1h', '--channel', 'audit'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr:
      'belfry mute: audit keeps a record: it gets each event at once, so it cannot be muted; take it out of the route instead\n',
  });
  expect(await asked(home, ['mute', '--list'])).toEqual([]);
  const muted = await belfry(home, ['mute', '1h']);
  expect(muted.stdout).toMatch(TIME);
  expect(muted.stderr).toBe('audit keeps a record and gets every event all the same\n');
  expect((await belfry(home, ['status'])).stdout).toMatch(TIME);
  const { id } = await asked<{ id: string }>(home, ['send', 'hello']);
  expect((await belfry(home, ['why', id])).stdout).toMatch(/comes in a digest at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n/);
  expect((await belfry(home, ['events', '--session', 'nope'])).stderr).toBe('no event matches\n');
  expect((await belfry(home, ['deliveries', '--since', '1h', '--kind', 'agent.finished'])).stderr).toBe(
    'no delivery matches\n',
  );
  expect((await belfry(home, ['deliveries', '--failed'])).stderr).toBe('nothing failed\n');
  expect((await belfry(home, ['deliveries', '--kind', 'nope'])).code).toBe(2);
});

test('before anything happened', async () => {
  const home = homeWith('');
  expect((await belfry(home, ['events'])).stderr).toBe('no events yet\n');
  expect((await belfry(home, ['deliveries'])).stderr).toBe('no deliveries yet\n');
  for (const more of [[], ['--all']])
    expect((await belfry(home, ['sessions', ...more])).stderr).toBe('no sessions yet\n');
});

test('a folder from where the command runs, a session by the beginning of its id; nothing is stored of a refusal', async () => {
  const home = homeWith(chatAndWebhookTo(NOBODY, NOBODY));
  await startDaemon(home);
  const cwd = join(home, 'project');
  mkdirSync(join(cwd, 'src'), { recursive: true });
  const said = async (session: string, folder: string): Promise<string> => {
    await hook(home, JSON.stringify({ ...stop(session), cwd: folder }));
    return until(async () => {
      const [found] = await asked<{ id: string; verdicts: { note: string }[] }[]>(home, [
        'events',
        '--session',
        session,
      ]);
      return found?.verdicts.at(-1)?.note;
    }, 'the event to be decided');
  };
  expect(await said('0197aaaa-1', home)).not.toMatch(/^muted/);
  for (const given of ['.', 'src/..', './**', cwd]) {
    const muted = await belfry(home, ['mute', '1h', '--cwd', given], { cwd });
    expect(muted.stdout).toContain(`folder ${cwd}`);
    expect(await said(`in-${given.length}-${given}`, join(cwd, 'src'))).toMatch(/^muted on chat until/);
    expect((await belfry(home, ['unmute', '--cwd', given], { cwd })).stdout).toBe('1 mute ended\n');
  }
  expect((await belfry(home, ['mute', '1h', '--cwd', '~/work'], { cwd })).stdout).toContain('folder ~/work');
  expect((await belfry(home, ['mute', '1h', '--session', '0197a'])).stdout).toContain('session 0197aaaa-1,');
  expect((await belfry(home, ['mute', '1h', '--session', 'not-seen'])).stdout).toContain('session not-seen,');
  expect((await belfry(home, ['unmute', '--session', '0197aa'])).stdout).toBe('1 mute ended\n');
  expect((await belfry(home, ['unmute'])).stdout).toBe('2 mutes ended\n');
  const asking = await sendCommand(pathsBelow(home), 'mute', { ms: 1e300 }, 5_000);
  for await (const reply of asking.state === 'answered' ? asking.replies : [])
    expect(reply).toMatchObject({ error: expect.stringContaining('does not understand ms') });
  expect(await asked(home, ['status'])).toMatchObject({ mutes: [] });
});

test('mute --list and --reason; a session nobody has seen is a warning', async () => {
  const home = homeWith('[[routes]]\nto = []\n');
  expect(await belfry(home, ['mute', '--list'])).toMatchObject({ code: 0, stdout: '', stderr: 'nothing is muted\n' });
  expect(await asked(home, ['mute', '--list'])).toEqual([]);
  await startDaemon(home);
  const first = await belfry(home, ['mute', '--session', 'nobody', '--reason', 'a\u001b[31m demo']);
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^muted: session nobody, until you unmute; .*; reason: a demo; `belfry unmute` ends it\n$/,
    ),
    stderr: expect.stringMatching(/^warning: no session "nobody" has been seen yet/),
  });
  expect((await belfry(home, ['mute', '2h', '--all'])).stderr).toBe('');
  expect(await asked(home, ['mute', '--list'])).toEqual([
    expect.objectContaining({ session: 'nobody', until: null, all: false, reason: 'a demo' }),
    expect.objectContaining({ session: null, until: expect.stringContaining('T'), all: true, reason: null }),
  ]);
  expect((await belfry(home, ['mute', '--list'])).stdout.split('\n').map((line) => line.split('\t').slice(1))).toEqual([
    ['session nobody', 'urgent events come through', 'a demo'],
    ['everything', 'urgent events muted too', ''],
    [],
  ]);
  expect(await belfry(home, ['mute', '1h', '--list'])).toMatchObject({ code: 2, stdout: '' });
  expect((await belfry(home, ['status'])).stdout).toContain('reason: a demo');
});

test('on a terminal `mute` alone asks for how long, and Ctrl-C mutes nothing', async () => {
  const home = homeWith('[[routes]]\nto = []\n');
  await startDaemon(home);
  const mute = (key: string, ...args: string[]) =>
    onTerminal([process.execPath, BELFRY, 'mute', ...args], bareEnv(home), [['Mute everything for how long?', key]]);
  expect(await mute(KEYS.cancel)).toMatchObject({ code: 1, screen: expect.stringContaining('nothing was changed') });
  expect(await asked(home, ['mute', '--list'])).toEqual([]);
  const hour = await mute(KEYS.enter, '--all');
  expect(hour).toMatchObject({ code: 0, screen: expect.stringMatching(/muted: everything, until 20[^;]*; urgent/) });
  expect(await asked(home, ['mute', '--list'])).toEqual([
    expect.objectContaining({ all: true, until: expect.any(String) }),
  ]);
  // Nobody to ask: not for ever, unless that is typed.
  const until = Date.now() + 8 * 3_600_000;
  const script = JSON.parse((await belfry(home, ['mute', '--json'])).stdout) as { until: string };
  expect(Math.abs(Date.parse(script.until) - until)).toBeLessThan(240_000);
  expect(await belfry(home, ['mute', 'forever'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^muted: everything, until you unmute; urgent events still come through; `belfry unmute` ends it; before, it was muted until 20[^;]*\n$/,
    ),
  });
  // Each took the place of the one before; one of less says what holds longer.
  expect(await asked(home, ['mute', '--list'])).toEqual([expect.objectContaining({ all: false, until: null })]);
  expect(await belfry(home, ['mute', '10m', '--cwd', '/src'])).toMatchObject({
    code: 0,
    stderr: 'still muted after that: everything, until you unmute; urgent events still come through\n',
  });
});
