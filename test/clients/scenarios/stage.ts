// A client in a home of its own, with a daemon, a model's service it can reach, and a receiver of what people are told.
import { createServer } from 'node:http';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/home.ts';
import { bareEnv, belfry, type Ran, run, startDaemon } from '../../support/programs.ts';
import { type Received, startReceiver } from '../../support/receiver.ts';
import { type Arrival, whatOf } from '../../support/sequence.ts';
import { until } from '../../support/wait.ts';
import { listen } from '../listen.ts';
import { modelHandler } from '../model/handler.ts';
import { type ScenarioClient, WANTED_FILE } from '../real/client.ts';
import { openTerminal, type Terminal } from '../terminal.ts';

/** Everything that is not low. */
const settings = (url: string): string => `
[channels.people]
type = "webhook"
url = "${url}"
allow_private = true
[[routes]]
match = { urgency = ["normal", "urgent"] }
to = ["people"]
`;
/** What a client without a model of its own can reach: this machine. */
const OFFLINE = {
  HTTPS_PROXY: 'http://127.0.0.1:9',
  HTTP_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
};
/** Marks the processes of one client's run. */
export const MARK = 'BELFRY_TEST_RUN';
/** For what a client does; several programs of half a gigabyte run at once. */
const LIMIT = 240_000;
const SLOW = 'do the SLOW work';
export const ANSWER = 'All 12 tests pass now.';

/** What the model answers to a prompt "say number 7". */
export const wordsOf = (prompt: string): string => `The words for "${prompt}".`;

/** Something that people were told. `delay`: ms from the hook's start, or the exit's discovery, to the receiver. */
export interface Told extends Arrival {
  readonly what: string;
  readonly delay: number;
  /** Unix ms. */
  readonly arrived: number;
}

export interface Stage {
  /** The user's home, which Belfry keeps nothing of its own in. */
  readonly home: string;
  /** Belfry's command line. */
  belfry(...args: readonly string[]): Promise<Ran>;
  /** A line of a shell where the client is. */
  shell(line: string): Promise<Ran>;
  readonly told: () => readonly Told[];
  /** How the model behaves from now on. */
  model: 'answer' | 'refuse' | 'hang';
  /** The subagent's model may answer. */
  release(): void;
  /** Requests to the model so far, of a turn. */
  asked(): number;
  /** Whether the client gave up waiting for a model that hangs in its turn. */
  gaveUp(): boolean;
  /** Waits until the daemon knows that the client is at work, and its process. */
  atWork(): Promise<void>;
  /** Every event that the daemon has, as `belfry events` shows them. */
  journal(): Promise<string>;
  /** Whether the subagent waits for its model. */
  delegated(): boolean;
  open(): Promise<Terminal>;
  prompt(terminal: Terminal, text: string): Promise<void>;
  once(prompt: string): Promise<Ran>;
  made(): boolean;
  /** Kills the client, all its processes at once. */
  kill(): void;
  /** Waits until that many were told; fails with the screen. */
  hears(count: number, terminal?: Terminal): Promise<readonly Told[]>;
  /** Waits until nothing was told for so long. */
  quiet(ms: number): Promise<void>;
}

/** Sets everything up; `path` has the client in it. `more`: of the environment. */
export async function stage(
  client: ScenarioClient,
  path: string,
  { hooks = true, more = {} }: { readonly hooks?: boolean; readonly more?: Readonly<Record<string, string>> } = {},
): Promise<Stage> {
  const home = temporaryFolder('client-home-');
  const kept = temporaryFolder('belfry-home-');
  const folder = temporaryFolder('belfry-tmux-');
  const project = join(home, 'payments');
  mkdirSync(project);
  await run('git', ['init', '-q', project], bareEnv(home));
  const mark = randomUUID();
  let delegated = false;
  let released = false;
  let asked = 0;
  let gaveUp = false;
  const server = createServer(
    modelHandler(
      async ({ tools, said }) => {
        // A title, which clients ask for beside the turn: who waits for the turn does not mean that one.
        if (tools.length === 0 && result.model !== 'refuse') return { text: 'Payments' };
        asked++;
        if (result.model !== 'answer') return result.model;
        if (said.includes(SLOW)) {
          delegated = true;
          await until(() => released, 'the subagent to be let go', 300_000);
          return { text: 'There are 3 source files.' };
        }
        if (said.includes('make the file')) return { tool: client.touch };
        const turn = /say number \d+/.exec(said)?.[0];
        if (turn !== undefined) return { text: wordsOf(turn) };
        return said.includes('delegate it') ? { tool: client.delegate(SLOW) } : { text: ANSWER };
      },
      () => {
        gaveUp = true;
      },
    ),
  );
  const own = client.prepare({ home, project, model: await listen(server) });
  const env = bareEnv(home, {
    ...OFFLINE,
    ...own,
    ...more,
    [MARK]: mark,
    BELFRY_HOME: kept,
    PATH: `${path}${delimiter}${process.env['PATH']}`,
  });
  onTestFinished(() => killAll(mark, true));
  const ours = (...args: readonly string[]): Promise<Ran> => belfry(kept, args, { env });
  if (hooks) {
    const installed = await ours('install', client.name);
    expect(installed, installed.stderr).toMatchObject({ code: 0 });
  }
  const receiver = await startReceiver();
  writeFileSync(join(kept, 'config.toml'), settings(receiver.url));
  await startDaemon(kept, { env: { HOME: home } });
  const began = Date.now();
  const told = (): readonly Told[] => receiver.requests.map((request) => toldOf(request, began));
  const result: Stage = {
    home,
    belfry: ours,
    shell: (line) => run('sh', ['-c', line], { ...env, TERM: 'dumb' }, { cwd: project, limit: LIMIT }),
    told,
    model: 'answer',
    release: () => {
      released = true;
    },
    asked: () => asked,
    gaveUp: () => gaveUp,
    atWork: async () => {
      const known = async (): Promise<boolean> => {
        const { stdout } = await ours('sessions', '--json');
        const sessions = JSON.parse(stdout) as readonly { state: string; pid: number | null }[];
        return sessions.some(({ state, pid }) => state === 'working' && pid !== null);
      };
      await until(known, 'the daemon to know of the work', LIMIT);
    },
    journal: async () => (await ours('events')).stdout,
    delegated: () => delegated,
    open: async () => {
      const terminal = await openTerminal(folder, [client.name, ...client.start], env, project);
      await client.begin?.(terminal);
      await terminal.shows(client.ready, LIMIT);
      return terminal;
    },
    prompt: (terminal, text) => terminal.enter(text),
    once: (prompt) => run(client.name, client.once(prompt), { ...env, TERM: 'dumb' }, { cwd: project, limit: LIMIT }),
    made: () => readdirSync(project).includes(WANTED_FILE),
    kill: () => killAll(mark, false),
    hears: async (count, terminal) => {
      await until(() => told().length >= count, `${count} notifications`, LIMIT).catch(async (error: Error) => {
        throw new Error(`${error.message}\n${await result.journal()}\n${(await terminal?.screen()) ?? ''}`);
      });
      return told();
    },
    quiet: async (ms) => {
      const from = Date.now();
      const last = (): number => Math.max(from, ...told().map(({ arrived }) => arrived));
      await until(() => Date.now() - last() > ms, 'silence', 120_000);
    },
  };
  return result;
}

function toldOf({ body, at }: Received, began: number): Told {
  const { data } = JSON.parse(body) as {
    data: {
      event: Pick<Arrival, 'kind' | 'detail' | 'urgency' | 'abnormal'> & { at: string };
      notification: { title: string; body: string };
    };
  };
  const { kind, detail, urgency, abnormal } = data.event;
  const arrival: Arrival = {
    at: (at - began) / 1_000,
    channel: 'people',
    operation: 'send',
    kind,
    detail,
    urgency,
    abnormal,
    title: data.notification.title,
    body: data.notification.body,
  };
  return { ...arrival, what: whatOf(arrival), delay: at - Date.parse(data.event.at), arrived: at };
}

/** Every process with the mark in its environment; without `terminals` those that show it stay. */
export function killAll(mark: string, terminals: boolean): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${MARK}=${mark}`)) continue;
      if (!terminals && readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('tmux')) continue;
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // gone meanwhile, or not ours to see
    }
  }
}
