// Settings reloaded again and again under load, with channels added, changed and removed: no dead letters, and each channel keeps its limits.
import { renameSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openReader } from '../../src/store/open-reader.ts';
import { sendCommand } from '../../src/ipc/client.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { startDaemon } from '../support/programs.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';
import { sendOne } from './senders.ts';
import { figures, size } from './size.ts';

const RELOADS = size(300, 100);
const SESSIONS = ['r0', 'r1', 'r2', 'r3'];
/** Inputs that may be on their way at once: two rounds of their sessions. */
const WAITING = 8;
/** Inputs that also go through the chat, which takes one a second. */
const CHATTY = 10;
/** The limits of the two kinds of channels: what is under way at once. */
const MOST = { webhook: 8, slack: 1 } as const;
/** Ms a receiver takes: long enough to meet others, shorter than what counts as slow. */
const ANSWERS_AFTER = 300;

/** Notes how many requests of one path are under way at once. */
function crowd() {
  const now = new Map<string, number>();
  const most = new Map<string, number>();
  return {
    most,
    answer: ({ path }: Received, response: ServerResponse): void => {
      const count = (now.get(path) ?? 0) + 1;
      now.set(path, count);
      most.set(path, Math.max(most.get(path) ?? 0, count));
      setTimeout(() => {
        now.set(path, (now.get(path) ?? 0) - 1);
        response.end('ok');
      }, ANSWERS_AFTER);
    },
  };
}

async function reload(home: string): Promise<void> {
  const reached = await sendCommand(pathsBelow(home), 'reload', {}, 120_000);
  if (reached.state !== 'answered') throw new Error(`the daemon is ${reached.state}`);
  for await (const reply of reached.replies) if ('error' in reply) throw new Error(reply.error);
}

test(`${RELOADS} reloads while ${SESSIONS.length} sessions send`, async () => {
  const home = temporaryFolder();
  const receiver = await startReceiver();
  const seen = crowd();
  receiver.answer = () => seen.answer;
  const secret = join(home, 'signing-secret');
  writeFileSync(secret, 'a secret of the tests', { mode: 0o600 });
  /** `kept` and `chat` change with each reload; `cN` is new, and the one before is removed. */
  const write = (n: number): void => {
    const level = n % 2 === 0 ? 'full' : 'short';
    const webhook = (name: string): string =>
      `[channels.${name}]\ntype = "webhook"\nurl = "${receiver.url}/${name}"\nallow_private = true\nsecret = "file:${secret}"\nlevel = "${level}"\n`;
    const chat = `[channels.chat]\ntype = "slack"\nurl = "${receiver.url}/chat"\nallow_private = true\nlevel = "${level}"\n`;
    const chatty = '[[routes]]\nmatch = { session = "chatty" }\nto = ["chat"]\n';
    const rest = `[[routes]]\nto = ["kept", "c${n}"]\n`;
    // In one step: a file cut off in the middle of being written says something else.
    writeFileSync(join(home, 'config.new'), `${webhook('kept')}${webhook(`c${n}`)}${chat}${chatty}${rest}`);
    renameSync(join(home, 'config.new'), join(home, 'config.toml'));
  };
  write(0);
  const daemon = await startDaemon(home);
  let over = false;
  let sent = 0;
  const arrived = (at: string): number => receiver.requests.filter(({ path }) => path === at).length;
  const sending = SESSIONS.map(async (session) => {
    for (let n = 0; !over; n++) {
      await sendOne(home, session, n);
      sent++;
      // What waits at a channel that is removed is given up ten seconds later: no more than arrives before.
      await until(() => arrived('/kept') + WAITING >= sent, 'what was sent to arrive', 300_000);
    }
  });
  for (let n = 0; n < CHATTY; n++) await sendOne(home, 'chatty', n);
  for (let n = 1; n <= RELOADS; n++) {
    const before = sent;
    write(n);
    await reload(home);
    await until(() => sent > before, 'the senders to go on');
  }
  over = true;
  await Promise.all(sending);

  const store = await openReader(pathsBelow(home).database, 'all');
  const ended = async () =>
    (await store.deliveries({ limit: 100_000 })).filter(({ state }) => state !== 'pending' && state !== 'leased');
  const expected = 2 * sent + CHATTY;
  await until(async () => (await ended()).length >= expected, `${expected} deliveries to end`, 300_000);
  const dead = (await ended()).filter(({ state }) => state !== 'sent');
  await store.close();
  await daemon.stop();
  const chats = receiver.requests.filter(({ path }) => path === '/chat').map(({ at }) => at);
  const gaps = chats.slice(1).map((at, i) => at - (chats[i] ?? 0));
  const tooMany = [...seen.most].filter(([path, most]) => most > (path === '/chat' ? MOST.slack : MOST.webhook));
  figures('reload', {
    reloads: RELOADS,
    inputs: sent + CHATTY,
    deliveries: expected,
    'not sent': dead.length,
    'most at once, one webhook': Math.max(
      ...[...seen.most].filter(([path]) => path !== '/chat').map(([, most]) => most),
    ),
    'most at once, chat': seen.most.get('/chat') ?? 0,
    'shortest gap in the chat, ms': Math.min(...gaps),
  });
  expect(dead.map(({ channel, lastError }) => [channel, lastError])).toEqual([]);
  expect(tooMany).toEqual([]);
  expect(chats).toHaveLength(CHATTY);
  // A second between two sends; when they arrive, the way may have eaten some of it.
  expect(Math.min(...gaps)).toBeGreaterThan(500);
});
