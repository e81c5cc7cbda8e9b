// What people see, through the built daemon, of each channel that has a page in docs/channels/: the page quotes it, and this fails when it says something else.
// `npm run transcripts` writes the pages.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { channelTable, PEERS, type Peer, type Seen } from '../support/peers/index.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { type Relay, startRelay } from '../support/relay.ts';
import { sample } from '../support/samples.ts';
import { asked, homeWith, stop } from '../support/thread.ts';
import { changesOf, type Situation, withTranscript } from '../support/transcript.ts';
import { until } from '../support/wait.ts';

const pageOf = (type: string): string => new URL(`../../docs/channels/${type}.md`, import.meta.url).pathname;
const HOSTILE = '<b>@everyone</b> *x* $(id) [a](https://example.com) /start';
const GROUP =
  '[[routes]]\nmatch = { session = "grp-*" }\nto = ["it"]\ngroup = { by = ["project"], wait = "5s", every = "1s" }\n';

interface Tried {
  readonly type: string;
  readonly home: string;
  readonly peer: Peer;
  readonly relay: Relay;
  readonly situations: Situation[];
  /** Version with groups. */
  readonly groups: boolean;
}

const tables = (type: string, peer: Peer, port: number, first: string): string =>
  [
    channelTable(type, { type, ...peer.settings(port), allow_private: true, timeout: '5s' }),
    channelTable('first', { type: 'webhook', url: first, allow_private: true }),
  ].join('\n');

/** `it` is the channel's name. */
const routes = (type: string, groups: boolean): string =>
  [
    '[[routes]]\nmatch = { session = "esc-*" }\nto = ["first"]\nescalate = [{ after = "1s", to = ["it"] }]\n',
    groups ? GROUP : '',
    '[[routes]]\nto = ["it"]\n',
  ]
    .join('')
    .replaceAll('"it"', `"${type}"`);

async function started(type: string, start: () => Promise<Peer>): Promise<Tried> {
  const [peer, first] = [await start(), await startReceiver()];
  const relay = await startRelay(peer.port, peer.acted);
  const base = tables(type, peer, relay.port, first.url);
  const groups = (await belfry(homeWith(base + routes(type, true)), ['config', 'check'])).code === 0;
  const home = homeWith(base + routes(type, groups));
  await peer.prepare?.(join(home, 'state'), relay.port);
  await startDaemon(home);
  return { type, home, peer, relay, situations: [], groups };
}

/** Does it, and waits until what can be seen has changed so, and the daemon knows it. */
async function tell(
  it: Tried,
  name: string,
  done: string,
  work: () => Promise<string>,
  isThere: (changes: readonly Seen[]) => boolean = (changes) => changes.length > 0,
): Promise<void> {
  const { peer, situations } = it;
  const before = peer.seen();
  const said = await work();
  await until(() => isThere(changesOf(before, peer.seen())), name);
  await settled(it);
  situations.push({ name, done, said, seen: changesOf(before, peer.seen()) });
}

const quote = (text: string): string => (/^[\w-]+$/.test(text) ? text : `'${text}'`);

/** `belfry send ARGS`, and the first line of what it said where that is more than that it was delivered. */
async function send({ home }: Tried, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await belfry(home, ['send', ...args]);
  return /^\S+: delivered/.test(stdout) ? '' : `${`${stdout}${stderr}`.split('\n')[0]}\n`;
}
const typed = (...args: string[]): string => `$ belfry send ${args.map(quote).join(' ')}`;

async function sent(it: Tried, name: string, ...args: string[]): Promise<void> {
  await tell(it, name, typed(...args), () => send(it, ...args));
}

const prompt = (session: string): Record<string, unknown> => ({
  ...sample('claude', 'PermissionRequest', 'tui-permission-deny').input,
  ...{ session_id: session, cwd: '/src/payments', transcript_path: undefined },
  ...{ tool_name: 'Bash', tool_input: { command: 'npm run deploy', description: 'Deploy' } },
});

/** Whether the channel says anything of what it has sent. */
const changes = async (it: Tried): Promise<boolean> => {
  const all = await asked<{ operation: string; channel: string; state: string }[]>(it.home, ['deliveries']);
  return all.some(({ operation, channel }) => operation !== 'send' && channel === it.type);
};

async function settled({ home, type }: Tried): Promise<void> {
  await until(async () => {
    const all = await asked<{ channel: string; state: string; due_at?: string }[]>(home, ['deliveries']);
    return all.filter(({ channel }) => channel === type).every(({ state }) => !['pending', 'leased'].includes(state));
  }, 'nothing to be under way');
}

async function escalated(it: Tried): Promise<void> {
  const claude = ['--agent', 'claude'];
  await tell(it, 'escalated into', 'A permission prompt that nobody acknowledged for 1 s.', async () => {
    await hook(it.home, JSON.stringify(prompt('esc-1')), claude);
    return '';
  });
  const before = it.peer.seen();
  await belfry(it.home, ['ack', 'esc-1']);
  if (await changes(it)) await settled(it);
  it.situations.push(gone('acknowledged', '$ belfry ack', before, it.peer.seen()));
}

async function resolved(it: Tried): Promise<void> {
  const claude = ['--agent', 'claude'];
  const earlier = it.peer.seen();
  await hook(it.home, JSON.stringify(prompt('res-1')), claude);
  await until(() => changesOf(earlier, it.peer.seen()).length > 0, 'the prompt');
  await settled(it);
  const before = it.peer.seen();
  const answer = { ...prompt('res-1'), hook_event_name: 'PostToolUse', tool_response: { stdout: 'done' } };
  await hook(it.home, JSON.stringify(answer), claude);
  const isOpen = async () => JSON.stringify(await asked(it.home, ['pending'])).includes('res-1');
  await until(async () => !(await isOpen()), 'the prompt to be over');
  await settled(it);
  it.situations.push(gone('resolved', 'Another prompt, answered in the terminal.', before, it.peer.seen()));
}

/** A change of what could be seen before; in words where it is not there any more, or as it was. */
function gone(name: string, done: string, before: readonly Seen[], after: readonly Seen[]): Situation {
  const changed = changesOf(before, after);
  const said =
    after.length < before.length
      ? 'The message is removed.'
      : changed.length === 0
        ? 'The message stays as it is.'
        : '';
  return { name, done, said, seen: changed };
}

async function grouped(it: Tried): Promise<void> {
  const finish = async (...sessions: string[]): Promise<string> => {
    await Promise.all(sessions.map((session) => hook(it.home, JSON.stringify(stop(session)))));
    return '';
  };
  await tell(it, 'group', 'Two sessions of a project finish.', () => finish('grp-1', 'grp-2'));
  await tell(it, 'group updated', 'A third one finishes.', () => finish('grp-3'));
}

async function troubled(it: Tried): Promise<void> {
  const { peer, relay, home, type } = it;
  const during = async (title: string, begin: () => unknown, end: () => unknown): Promise<string> => {
    await begin();
    const said = await send(it, title);
    await end();
    return said;
  };
  const there = (title: string) => (seen: readonly Seen[]) => JSON.stringify(seen).includes(title);
  const limited = () =>
    during(
      'Limited',
      () => peer.trouble('limited'),
      () => peer.trouble(null),
    );
  await tell(it, 'rate limited', typed('Limited'), limited, there('Limited'));
  await tell(it, 'service down', typed('Down'), () => during('Down', relay.down, relay.up), there('Down'));
  const lose = (passing: Relay['passing']) => () => {
    relay.passing = passing;
  };
  await tell(it, 'answer lost', typed('Lost'), async () => {
    const said = await during('Lost', lose('lost'), lose('open'));
    await settled(it);
    return said;
  });
  peer.trouble('refused');
  const said = await send(it, 'Refused');
  const status = (await belfry(home, ['status'])).stdout.split('\n').find((line) => line.includes(`${type} `)) ?? '';
  const done = typed('Refused');
  it.situations.push({ name: 'refused credentials', done, said: `${said}$ belfry status\n${status}`, seen: [] });
}

const types = Object.entries(PEERS).filter(([type]) => existsSync(pageOf(type)));

test.each(types)('%s', async (type, start) => {
  const it = await started(type, start);
  await sent(it, 'plain', 'Build failed', 'See job 1234');
  await sent(it, 'urgent', 'Deploy now?', 'The agent waits', '--urgency', 'urgent');
  await escalated(it);
  await resolved(it);
  if (it.groups) await grouped(it);
  await sent(it, 'hostile text', `Hostile ${HOSTILE}`, HOSTILE);
  const long = 'word '.repeat(20_000);
  await tell(it, 'far over the limit', "$ belfry send Long '100,000 characters'", () => send(it, 'Long', long));
  await troubled(it);
  const page = readFileSync(pageOf(type), 'utf8');
  const now = withTranscript(page, it.situations);
  if (process.env['TRANSCRIPTS'] === 'write') writeFileSync(pageOf(type), now);
  else expect(now, 'what is seen has changed: `npm run transcripts` writes it').toBe(page);
});
