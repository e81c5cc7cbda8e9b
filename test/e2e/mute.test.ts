// `mute` and the lists for people: what they refuse, how they write times, and what they say when nothing is there.
import { expect, test } from 'vitest';
import { belfry, startDaemon } from '../support/programs.ts';
import { asked, homeWith, webhookTo } from '../support/thread.ts';

const TIME = /until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d[,;]/;

test('a channel that is not there is refused; times are written as in the lists', async () => {
  const home = homeWith(webhookTo('http://127.0.0.1:9'));
  await startDaemon(home);
  expect(await belfry(home, ['mute', '1h', '--channel', 'nope'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'belfry mute: there is no channel "nope"; known: audit\n',
  });
  expect((await belfry(home, ['mute', '1h'])).stdout).toMatch(TIME);
  expect((await belfry(home, ['status'])).stdout).toMatch(TIME);
  const { id } = await asked<{ id: string }>(home, ['send', 'hello']);
  expect((await belfry(home, ['why', id])).stdout).toMatch(TIME);
  expect((await belfry(home, ['events', '--session', 'nope'])).stderr).toBe('no event matches\n');
  expect((await belfry(home, ['deliveries', '--since', '1h'])).stderr).toBe('no delivery matches\n');
  expect((await belfry(home, ['deliveries', '--failed'])).stderr).toBe('nothing failed\n');
  expect((await belfry(home, ['deliveries', '--kind', 'nope'])).code).toBe(2);
});

test('before anything happened', async () => {
  const home = homeWith('');
  expect((await belfry(home, ['events'])).stderr).toBe('no events yet\n');
  expect((await belfry(home, ['deliveries'])).stderr).toBe('nothing was sent yet\n');
  expect((await belfry(home, ['sessions', '--all'])).stderr).toBe('no sessions seen yet\n');
});
