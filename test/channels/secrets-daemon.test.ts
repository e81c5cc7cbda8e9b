// Secrets of every channel whose service says them back: in no log, list, page of `why` or check of the built programs; with all channels in one daemon.
import { listed } from '../support/lists.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { channelTable, PEERS } from '../support/peers/index.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';

interface Listed {
  readonly id: string;
  readonly channel: string;
  readonly state: string;
  readonly event_id: string;
}

test('in nothing that belfry says or writes', { timeout: 600_000 }, async () => {
  const peers = await Promise.all(
    Object.entries(PEERS).map(async ([type, start]) => ({ name: `my-${type}`, type, peer: await start() })),
  );
  const tables = peers.map(({ name, type, peer }) =>
    channelTable(name, { type, ...peer.settings(peer.port), allow_private: true, timeout: '5s' }),
  );
  const home = temporaryFolder();
  const route = `[[routes]]\nto = ${JSON.stringify(peers.map(({ name }) => name))}\n`;
  writeFileSync(join(home, 'config.toml'), `${tables.join('\n')}${route}`, { mode: 0o600 });
  for (const { peer } of peers) await peer.prepare?.(join(home, 'state'), peer.port);
  await startDaemon(home);
  const printed: string[] = [];
  const say = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await belfry(home, args);
    printed.push(`$ belfry ${args.join(' ')}\n${stdout}${stderr}`);
    return stdout;
  };
  await say('send', 'Build failed', 'See job 1234');
  await until(() => peers.every(({ peer }) => peer.titles().length > 0), 'the first message on each');
  for (const { peer } of peers) peer.trouble('saysBack');
  await say('send', 'Build failed again', 'See job 1235');
  const all = async () => await listed<Listed[]>(home, ['deliveries']);
  const refused = await until(async () => {
    const found = (await all()).filter(({ state }) => state === 'paused' || state === 'dead');
    return peers.every(({ name }) => found.some(({ channel }) => channel === name)) && found;
  }, 'the second to be refused by each');
  const lists = ['status', 'deliveries', 'events', 'logs', 'doctor', 'pending', 'sessions'].map((command) => [command]);
  const pages = refused.map(({ id }) => ['why', id]);
  const event = ['event', refused[0]?.event_id ?? ''];
  for (const args of [...lists, ...pages, event, ['config', 'show'], ['routes', 'show']])
    await Promise.all([say(...args), say(...args, '--json')]);
  await Promise.all(peers.map(({ name }) => say('test', name)));
  const log = readFileSync(join(home, 'state', 'daemon.log'), 'utf8');
  const whole = [...printed, log].join('\n');
  expect(whole).toMatch(/\[redacted\]/);
  for (const { name } of peers) expect(whole).toContain(name);
  for (const { type, peer } of peers)
    for (const secret of peer.secrets.flatMap(encodings))
      expect(whole.includes(secret), `${type}: ${secret}`).toBe(false);
});

/** As it may stand in a text. */
const encodings = (text: string): string[] => [text, encodeURIComponent(text), Buffer.from(text).toString('base64')];
