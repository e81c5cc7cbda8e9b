// What people see, through the built daemon, of each channel with a server or programs in the tests: test/fixtures/transcripts/ holds it, and this fails when
// something else is seen. `npm run transcripts` writes it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { channelTable, LOCAL_PEERS, PEERS, type Seen } from './peers/index.ts';
import { belfry, hook, startDaemon } from './programs.ts';
import { startReceiver } from './receiver.ts';
import { sample } from './samples.ts';
import { asked, homeWith, stop } from './thread.ts';
import { changesOf, type Situation, transcriptOf } from './transcript.ts';
import { localEnd, serviceEnd, type TranscriptEnd } from './transcript-end.ts';
import { until } from './wait.ts';

const fileOf = (type: string): string => new URL(`../fixtures/transcripts/${type}.txt`, import.meta.url).pathname;
const HOSTILE = '<b>@everyone</b> *x* $(id) [a](https://example.com) /start';
const GROUP =
  '[[routes]]\nmatch = { session = "grp-*" }\nto = ["it"]\ngroup = { by = ["project"], wait = "5s", every = "1s" }\n';

interface Tried {
  readonly type: string;
  readonly home: string;
  readonly end: TranscriptEnd;
  readonly situations: Situation[];
  /** Version with groups. */
  readonly groups: boolean;
}

const tables = (type: string, { settings }: TranscriptEnd, first: string): string =>
  [
    channelTable(type, { type, ...settings, allow_private: true, timeout: '5s' }),
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

async function started(type: string, start: () => Promise<TranscriptEnd>): Promise<Tried> {
  const [end, first] = [await start(), await startReceiver()];
  const base = tables(type, end, first.url);
  const groups = (await belfry(homeWith(base + routes(type, true)), ['config', 'check'])).code === 0;
  const home = homeWith(base + routes(type, groups));
  await end.prepare?.(join(home, 'state'));
  await startDaemon(home, { env: end.env });
  return { type, home, end, situations: [], groups };
}

/** Does it, and waits until what can be seen has changed so, and the daemon knows it. */
async function tell(
  it: Tried,
  name: string,
  done: string,
  work: () => Promise<string>,
  isThere: (changes: readonly Seen[]) => boolean = (changes) => changes.length > 0,
): Promise<void> {
  const { end, situations } = it;
  const before = end.seen();
  const said = await work();
  await until(() => isThere(changesOf(before, end.seen())), name);
  await settled(it);
  situations.push({ name, done, said, seen: changesOf(before, end.seen()) });
}

const quote = (text: string): string => (/^[\w-]+$/.test(text) ? text : `'${text}'`);

/** `belfry send ARGS`, and the first line of what it said where that is more than that it was delivered. */
async function send({ home, end: { env } }: Tried, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await belfry(home, ['send', ...args], { env });
  return /^\S+: delivered/.test(stdout) ? '' : `${`${stdout}${stderr}`.split('\n')[0]}\n`;
}
const typed = (...args: string[]): string => `$ belfry send ${args.map(quote).join(' ')}`;

async function sent(it: Tried, name: string, ...args: string[]): Promise<void> {
  await tell(it, name, typed(...args), () => send(it, ...args));
}

/** A hook with this input, run as the agent's own would be. */
const told = ({ home, end: { env } }: Tried, input: object, agent = 'claude') =>
  hook(home, JSON.stringify(input), ['--agent', agent], { env });

const prompt = (session: string): Record<string, unknown> => ({
  ...sample('claude', 'PermissionRequest', 'tui-permission-deny').input,
  session_id: session,
  cwd: '/src/payments',
  transcript_path: undefined,
  tool_name: 'Bash',
  tool_input: { command: 'npm run deploy', description: 'Deploy' },
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
  await tell(it, 'escalated into', 'A permission prompt that nobody acknowledged for 1 s.', async () => {
    await told(it, prompt('esc-1'));
    return '';
  });
  const before = it.end.seen();
  await belfry(it.home, ['ack', 'esc-1']);
  if (await changes(it)) await settled(it);
  it.situations.push(gone('acknowledged', '$ belfry ack', before, it.end.seen()));
}

async function resolved(it: Tried): Promise<void> {
  const earlier = it.end.seen();
  await told(it, prompt('res-1'));
  await until(() => changesOf(earlier, it.end.seen()).length > 0, 'the prompt');
  await settled(it);
  const before = it.end.seen();
  const answer = { ...prompt('res-1'), hook_event_name: 'PostToolUse', tool_response: { stdout: 'done' } };
  await told(it, answer);
  const isOpen = async () => JSON.stringify(await asked(it.home, ['pending'])).includes('res-1');
  await until(async () => !(await isOpen()), 'the prompt to be over');
  await settled(it);
  it.situations.push(gone('resolved', 'Another prompt, answered in the terminal.', before, it.end.seen()));
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
    await Promise.all(sessions.map((session) => told(it, stop(session), 'generic')));
    return '';
  };
  await tell(it, 'group', 'Two sessions of a project finish.', () => finish('grp-1', 'grp-2'));
  await tell(it, 'group updated', 'A third one finishes.', () => finish('grp-3'));
}

async function troubled(it: Tried): Promise<void> {
  const { end, home, type } = it;
  const shows = (title: string) => (seen: readonly Seen[]) =>
    end.namesTitles ? JSON.stringify(seen).includes(title) : seen.length > 0;
  for (const trouble of end.troubles) {
    const { name, title } = trouble;
    const work = async (): Promise<string> => {
      await trouble.begin();
      const said = await send(it, title);
      await trouble.end();
      return said;
    };
    await tell(it, name, typed(title), work, shows(title));
  }
  const { name, title, begin } = end.last;
  await begin();
  const said = await send(it, title);
  const status = (await belfry(home, ['status'])).stdout.split('\n').find((line) => line.includes(`${type} `)) ?? '';
  it.situations.push({ name, done: typed(title), said: `${said}$ belfry status\n${status}`, seen: [] });
}

const ENDS: Readonly<Record<string, () => Promise<TranscriptEnd>>> = {
  ...mapped(PEERS, async (start) => serviceEnd(await start())),
  ...mapped(LOCAL_PEERS, async (start) => localEnd(await start())),
};

function mapped<A, B>(of: Readonly<Record<string, A>>, make: (one: A) => Promise<B>) {
  return Object.fromEntries(Object.entries(of).map(([type, one]) => [type, () => make(one)]));
}

const CHATS = ['slack', 'slack-app', 'teams', 'discord', 'telegram'];
const PHONES = ['ntfy', 'pushover', 'webpush', 'email'];
const isOf = { chats: isIn(CHATS), phones: isIn(PHONES), others: (type: string) => !isIn([...CHATS, ...PHONES])(type) };

function isIn(types: readonly string[]) {
  return (type: string): boolean => types.includes(type);
}

/** A test for each of these channels: what is seen through it now is what was seen before. Each takes half a minute. */
export function testTranscripts(which: keyof typeof isOf): void {
  const ends = Object.entries(ENDS).filter(([type]) => isOf[which](type));
  test.each(ends)('%s', async (type, start) => compare(await started(type, start)));
}

async function compare(it: Tried): Promise<void> {
  const { type } = it;
  await sent(it, 'plain', 'Build failed', 'See job 1234');
  await sent(it, 'urgent', 'Deploy now?', 'The agent waits', '--urgency', 'urgent');
  await escalated(it);
  await resolved(it);
  if (it.groups) await grouped(it);
  await sent(it, 'hostile text', `Hostile ${HOSTILE}`, HOSTILE);
  const long = 'word '.repeat(20_000);
  await tell(it, 'far over the limit', "$ belfry send Long '100,000 characters'", () => send(it, 'Long', long));
  await troubled(it);
  const now = transcriptOf(it.situations);
  if (process.env['TRANSCRIPTS'] === 'write') writeFileSync(fileOf(type), now);
  else
    expect(now, 'what is seen has changed: `npm run transcripts` writes it').toBe(readFileSync(fileOf(type), 'utf8'));
}
