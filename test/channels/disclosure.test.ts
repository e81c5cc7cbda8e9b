// What each channel is handed of what happens, at each level: hooks in which every field holds a word of its own, the built daemon, and the
// services and programs at the channels' other ends. test/fixtures/disclosure.json holds it, and docs/guide/security.md has the table.
// `npm run transcripts` writes it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { channels } from '../../src/channels/index.ts';
import { LEVELS, type Level } from '../../src/model/notification/notification.ts';
import { waitAsHook } from '../support/answering.ts';
import { temporaryFolder } from '../support/home.ts';
import { channelTable, LOCAL_PEERS, PEERS, unnamedTypes } from '../support/peers/index.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { recordingPrograms } from '../support/recording-programs.ts';
import { startRelay } from '../support/relay.ts';
import { asked, homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const RECORD = new URL('../fixtures/disclosure.json', import.meta.url).pathname;

/** What is said of a notification, by the word that it holds in this test. */
const FIELDS = {
  markproject: 'project',
  markbranch: 'branch',
  markfolder: 'folder, whole path',
  marksess: 'session id',
  markhost: 'name of the machine',
  markuser: 'name of the user',
  markanswer: 'last message, first line',
  markmore: 'last message, rest',
  markprompt: 'your prompt',
  markearlier: 'earlier messages',
  markcommand: 'command, first line',
  markargument: 'command, rest',
  markpurpose: 'what a command is for',
  marktool: 'name of an MCP tool',
  markinput: 'input of an MCP tool',
  markfile: 'path of a file to write',
  markcontent: 'content of a file to write',
  markquestion: 'question',
  markoption: 'options',
  markmeaning: 'descriptions of options',
  markerror: 'text of an error',
  marktitle: 'title of `belfry send`',
  marktext: 'text of `belfry send`, first line',
  markbelow: 'text of `belfry send`, rest',
  markoutput: 'output of a tool',
  marktranscript: 'path of the transcript',
  markunknown: 'fields that Belfry does not know',
  markssh: 'address of an SSH connection',
} as const;
type Mark = keyof typeof FIELDS;
const MARKS = Object.keys(FIELDS) as Mark[];

/** A channel that may carry answers shows the question in the body's place, so it is there twice: with and without them. */
const ANSWERS = '-answers';
/** The desktop has no buttons by `notify-send`. */
const ANSWERING = channels
  .filter(({ type, answeredWhere }) => answeredWhere !== undefined && type !== 'desktop')
  .map(({ type }) => `${type}${ANSWERS}`);
/** By name. */
const CHANNELS = [...channels.map(({ type }) => type), ...ANSWERING];
const typeOf = (name: string): string => name.replace(ANSWERS, '');
/** Settings that switch on what a channel can do, besides its peer's. */
const MORE: Readonly<Record<string, object>> = {
  [`ntfy${ANSWERS}`]: { answer_topic: 'belfry-answers-w8r2k5' },
  [`slack-app${ANSWERS}`]: { allow: ['U0123456789'] },
};
/** What a bus that cannot be reached leaves to `notify-send`. */
const NO_BUS = 'unix:path=/nowhere/of-this-test';

/** One channel's other end. */
interface End {
  readonly settings: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly prepare?: (stateFolder: string) => Promise<void>;
  /** All that came out of it. */
  readonly handed: () => string;
}

async function endOf(type: string): Promise<End> {
  if (type === 'desktop') {
    const { tools, read, make } = recordingPrograms({ 'notify-send': 'echo "$@" >>shown\necho 1' }, '');
    make('shown');
    return { settings: {}, env: { PATH: tools.env['PATH'] ?? '' }, handed: () => read('shown') };
  }
  const local = await LOCAL_PEERS[type]?.();
  if (local) return { settings: local.settings, env: local.env, handed: () => JSON.stringify(local.seen()) };
  const peer = await (PEERS[type] ?? expect.fail(`${type} has no other end here`))();
  const relay = await startRelay(peer.port);
  return {
    settings: peer.settings(relay.port),
    prepare: async (stateFolder) => peer.prepare?.(stateFolder, relay.port),
    handed: () => [relay.sent(), JSON.stringify(peer.seen()), peer.decrypted?.() ?? ''].join('\n'),
  };
}

/** Run by Node before a program: the machine and its user have names of this test. */
function named(folder: string): string {
  const file = join(folder, 'named.cjs');
  const names = `const os = require('node:os'); const { userInfo } = os;
os.hostname = () => 'markhost'; os.userInfo = (...given) => ({ ...userInfo(...given), username: 'markuser' });
require('node:module').syncBuiltinESMExports();`;
  writeFileSync(file, names);
  return `--require=${file}`;
}

/** A repository on a branch, and a transcript. */
function workplace(folder: string) {
  const cwd = join(folder, 'markfolder', 'markproject');
  execFileSync('git', ['init', '-q', '-b', 'markbranch', cwd]);
  mkdirSync(join(folder, 'marktranscript'));
  const transcript = join(folder, 'marktranscript', 'session.jsonl');
  const said = [
    ['assistant', 'markearlier'],
    ['user', 'markprompt'],
    ['assistant', 'markanswer\nmarkmore'],
  ].map(([role, text]) => ({ type: role, message: { role, content: text }, timestamp: new Date().toISOString() }));
  writeFileSync(transcript, said.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return { cwd, transcript_path: transcript };
}

/** A hook of one session. asks: another one waits for the answer; silent: nobody is notified. */
interface Happening {
  readonly session: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly outcome: 'asks' | 'notifies' | 'silent';
}

const asks = (session: string, tool_name: string, tool_input: object): Happening => ({
  session,
  input: { hook_event_name: 'PermissionRequest', tool_name, tool_input },
  outcome: 'asks',
});

const HAPPENS: readonly Happening[] = [
  asks('bash', 'Bash', { command: 'markcommand\nmarkargument', description: 'markpurpose' }),
  asks('mcp', 'mcp__server__marktool', { text: 'markinput' }),
  asks('write', 'Write', { file_path: '/srv/markfile', content: 'markcontent\n' }),
  asks('question', 'AskUserQuestion', {
    questions: [{ question: 'markquestion?', options: [{ label: 'markoption', description: 'markmeaning' }] }],
  }),
  { session: 'turn', input: { hook_event_name: 'UserPromptSubmit', prompt: 'markprompt' }, outcome: 'silent' },
  {
    session: 'turn',
    input: { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_response: { stdout: 'markoutput' } },
    outcome: 'silent',
  },
  {
    session: 'turn',
    input: { hook_event_name: 'Stop', last_assistant_message: 'markanswer\nmarkmore' },
    outcome: 'notifies',
  },
  {
    session: 'failure',
    input: { hook_event_name: 'StopFailure', error: 'server_error', last_assistant_message: 'markerror' },
    outcome: 'notifies',
  },
];

/** Every channel was sent this many notifications. */
async function sentToAll(home: string, count: number): Promise<boolean> {
  const rows = await asked<{ channel: string; operation: string; state: string }[]>(home, [
    ...['deliveries', '--limit', '1000'],
  ]);
  const sends = rows.filter(({ operation }) => operation === 'send');
  const failed = sends.filter(({ state }) => !['pending', 'leased', 'sent'].includes(state));
  expect(failed, 'every channel works').toEqual([]);
  const sent = sends.filter(({ state }) => state === 'sent');
  return CHANNELS.every((name) => sent.filter(({ channel }) => channel === name).length === count);
}

/** The words that came out of each channel at this level. */
async function observe(level: Level): Promise<ReadonlyMap<string, ReadonlySet<Mark>>> {
  const ends = new Map<string, End>();
  for (const name of CHANNELS) ends.set(name, await endOf(typeOf(name)));
  const tables = [...ends].map(([name, { settings }]) =>
    channelTable(name, { type: typeOf(name), ...settings, ...MORE[name], allow_private: true }),
  );
  const home = homeWith(
    [
      `[redaction]\nlevel = "${level}"\n[answer]\nchannels = ${JSON.stringify(ANSWERING)}\n`,
      ...tables,
      `[[routes]]\nto = ${JSON.stringify(CHANNELS)}\n`,
    ].join('\n'),
  );
  for (const { prepare } of ends.values()) await prepare?.(join(home, 'state'));
  const envs = [...ends.values()].map(({ env = {} }) => env);
  const folder = temporaryFolder();
  const env = {
    ...Object.assign({}, ...envs),
    PATH: [...envs.flatMap(({ PATH = [] }) => PATH), process.env['PATH']].join(':'),
    NODE_OPTIONS: named(folder),
    DBUS_SESSION_BUS_ADDRESS: NO_BUS,
  };
  await startDaemon(home, { env });
  const at = { ...workplace(folder), markunknown: 'markunknown' };
  let notified = 0;
  // One after the other: of what waits to be spoken, only the newest is.
  const allToArrive = () => until(() => sentToAll(home, notified), `everything at ${level}`);
  for (const { session, input, outcome } of HAPPENS) {
    const whole = { session_id: `marksess-${session}`, ...at, ...input };
    const startedAt = Date.now();
    const by = { env: { ...env, SSH_CONNECTION: 'markssh 50000 10.0.0.2 22' } };
    expect((await hook(home, JSON.stringify(whole), ['--agent', 'claude'], by)).code).toBe(0);
    if (outcome === 'asks') await waitAsHook(home, whole, startedAt);
    if (outcome !== 'silent') notified++;
    await allToArrive();
  }
  const sent = await belfry(home, ['send', 'marktitle', 'marktext\nmarkbelow'], { env });
  expect(sent.code, sent.stderr).toBe(0);
  notified++;
  await allToArrive();
  // A mail has its lines broken anywhere.
  const marksIn = (text: string): Set<Mark> => {
    const whole = text.replaceAll('=\r\n', '').toLowerCase();
    return new Set(MARKS.filter((mark) => whole.includes(mark)));
  };
  return new Map([...ends].map(([name, { handed }]) => [name, marksIn(handed())]));
}

const levels: (readonly [Level, ReadonlyMap<string, ReadonlySet<Mark>>])[] = [];

test.each(LEVELS)('every channel sends what happens at level %s', async (level) => {
  levels.push([level, await observe(level)]);
});

test('what leaves by each channel at each level is what docs/guide/security.md says', () => {
  expect(unnamedTypes()).toEqual([]);
  expect(levels.map(([level]) => level)).toEqual(LEVELS);
  const observed = Object.fromEntries(
    channels.map(({ type }) => {
      const came = (mark: Mark): readonly Level[] =>
        levels
          .filter(([, seen]) => [type, `${type}${ANSWERS}`].some((name) => seen.get(name)?.has(mark)))
          .map(([level]) => level);
      return [type, Object.fromEntries(MARKS.map((mark) => [FIELDS[mark], came(mark)]))];
    }),
  );
  for (const [type, fields] of Object.entries(observed))
    for (const [field, came] of Object.entries(fields))
      expect(came, `${type}: what a stricter level sends (${field}), a laxer one does`).toEqual(
        LEVELS.slice(0, came.length),
      );
  const text = `${JSON.stringify(observed, null, 2).replace(/\[\s+([^\]]*?)\s+\]/g, (_all, inner: string) => `[${inner.replace(/\s+/g, ' ')}]`)}\n`;
  if (process.env['TRANSCRIPTS'] === 'write') writeFileSync(RECORD, text);
  else
    expect(text, 'what leaves has changed: `npm run transcripts` writes it, `npm run docs` the page').toBe(
      readFileSync(RECORD, 'utf8'),
    );
});
