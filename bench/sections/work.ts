// What one event costs in parts: the files that run, the statements and the transactions, of a daemon that runs from source.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../src/ipc/id.ts';
import { runningDaemon } from '../../src/runtime/daemon-file.ts';
import type { Work } from '../count-work.ts';
import { type BenchHome, openHome, send, until } from '../home.ts';
import { type Measure, type Section, spread } from '../measure.ts';
import { startServices } from '../services.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
/** Ms after a message was accepted in which what it leaves to be done is done. */
const SETTLES = 300;

/** Settings: one Slack channel, with the session's latest messages or without. */
const settings = (url: string, context: boolean): string => `[channels.team]
type = "slack"
url = "${url}/slack"
allow_private = true
[[routes]]
to = ["team"]
[context]
messages = ${context ? 3 : 0}
`;

async function startCounted(home: BenchHome): Promise<ChildProcess> {
  const preloaded = ['tsx', join(ROOT, 'bench', 'count-work.ts')].flatMap((module) => ['--import', module]);
  const child = spawn(process.execPath, [...preloaded, join(ROOT, 'src', 'daemon', 'main.ts')], {
    cwd: ROOT, // where the loader is found
    env: home.env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await until(() => {
    if (child.exitCode !== null) throw new Error(`the daemon ended; see ${home.paths.daemonLog}`);
    return runningDaemon(home.paths)?.pid === child.pid;
  });
  return child;
}

async function ask<T>(child: ChildProcess, what: 'begin' | 'end'): Promise<T> {
  const answered = once(child, 'message');
  child.send(what);
  const [answer] = (await answered) as [T]; // what the preloaded program answers to this word
  return answer;
}

/** The work of each of so many Stops of a session that was given a prompt before, until Slack has taken the message. */
async function stops(count: number, context: boolean): Promise<readonly Work[]> {
  const services = await startServices();
  const home = openHome(settings(services.url, context));
  const child = await startCounted(home);
  const accepted = (): number => services.accepted.get('slack') ?? 0;
  const transcript = join(home.folder, 'transcript.jsonl');
  const message = { type: 'message', message: { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] } };
  writeFileSync(transcript, `${JSON.stringify(message)}\n`);
  const hook = async (session: string, more: object): Promise<void> => {
    const at = Date.now();
    const common = { session_id: session, cwd: home.folder, transcript_path: transcript };
    const raw = Buffer.from(JSON.stringify({ ...common, ...more }));
    const origin = { pid: process.pid, ppid: process.ppid, env: {} };
    await send(home, { id: newId(at), agent: 'droid', startedAt: at, receivedAt: at, origin, raw });
  };
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SETTLES));
  try {
    const work: Work[] = [];
    for (let n = 0; n <= count; n++) {
      await hook(`work-${n}`, { hook_event_name: 'UserPromptSubmit', prompt: 'Go on' });
      await settled();
      await ask(child, 'begin');
      await hook(`work-${n}`, { hook_event_name: 'Stop' });
      await until(() => accepted() === n + 1);
      await settled();
      const done = await ask<Work>(child, 'end');
      if (n > 0) work.push(done); // the first also loads and prepares
    }
    return work;
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    services.close();
    home.remove();
  }
}

async function work(full: boolean): Promise<Measure[]> {
  const measures = (name: string, of: readonly Work[], [files, transactions]: readonly [number, number]): Measure[] => {
    const counted = (what: string, number: (one: Work) => number, most: number): Measure => {
      const found = spread('work', `${name}: ${what}`, 'count', of.map(number), { goal: `<= ${most}` });
      return { ...found, met: found.value <= most };
    };
    return [
      counted('files that run', ({ files }) => files.length, files),
      counted('statements', ({ statements }) => statements.length, 15),
      counted('transactions', (one) => one.transactions, transactions),
    ];
  };
  const count = full ? 50 : 10;
  return [
    ...measures('a Stop to Slack', await stops(count, false), [110, 4]),
    ...measures('with its context', await stops(count, true), [110, 5]),
  ];
}

export const WORK_SECTIONS: readonly Section[] = [
  {
    name: 'work',
    about:
      'One Stop of a session that was given a prompt before, to one Slack channel: files of the source of which a function runs, SQL statements and transactions, from its arrival until 0.3 s after Slack has taken the message.',
    run: ({ full }) => work(full),
  },
];
