// Waiting hooks and answers for tests: the real hook program, and bare connections to the daemon's socket.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openProof } from '../../src/ipc/caller-proof.ts';
import type { FileReads } from '../../src/model/question/answering.ts';
import type { Question } from '../../src/model/question/question.ts';
import { seenOf } from '../../src/model/question/seen.ts';
import { openReader } from '../../src/store/open-reader.ts';
import { pathsBelow } from './home.ts';
import { bareEnv, BELFRY, type Ran } from './programs.ts';
import { WAIT_LIMIT } from '../../hooks/exchange.ts';
import { until } from './wait.ts';

/** For agents that keep nothing in a file. */
export const NO_FILES: FileReads = { start: async () => null, end: async () => null };

/** For agents whose files are small, and of this test. */
export const OWN_FILES: FileReads = {
  start: async () => null,
  end: async (path) => {
    try {
      return { text: readFileSync(path, 'utf8'), whole: true };
    } catch {
      return null; // there is none
    }
  },
};

export const ASK_PROGRAM = join(BELFRY, '..', 'belfry-ask.cjs');

/** One line of JSON each way. */
export interface Conversation {
  send(value: unknown): void;
  /** The next line; null: the other side has closed. */
  next(): Promise<{ data?: Record<string, unknown>; error?: string; exit?: number } | null>;
  close(): void;
}

/** Connects to the daemon of this home; `confirms`: as a hook it says of an answer that it has it, and leaves. */
export function converse(home: string, confirms = false): Conversation {
  const socket = connect(pathsBelow(home).socket).setEncoding('utf8');
  onTestFinished(() => void socket.destroy());
  const lines: string[] = [];
  let rest = '';
  let over = false;
  socket.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    if (confirms && parts.some((line) => /"data":\{"(?:stdout|reply)"/.test(line))) socket.end('taken\n');
  });
  for (const end of ['end', 'error', 'close'])
    socket.on(end, () => {
      over = true;
    });
  return {
    send: (value) => void socket.write(typeof value === 'string' ? value : `${JSON.stringify(value)}\n`),
    next: async () => {
      await until(() => lines.length > 0 || over, 'a line of the daemon', 30_000);
      const line = lines.shift();
      return line === undefined ? null : (JSON.parse(line) as { data?: Record<string, unknown> });
    },
    close: () => void socket.destroy(),
  };
}

/** Sends one command, as this process, and returns the first line of its answer. */
export async function command(home: string, op: string, args: object): ReturnType<Conversation['next']> {
  const talk = converse(home);
  talk.send({ v: 1, op, args, pid: process.pid });
  const first = await talk.next();
  const proof = first === null ? null : openProof(pathsBelow(home).run, JSON.stringify(first));
  if (proof !== null) talk.send(`${proof.content}\n`);
  const line = proof === null ? first : await talk.next();
  proof?.close();
  talk.close();
  return line;
}

/** A permission request of a session, as the client puts it to its hooks. */
export const permission = (session: string, line = 'touch notes.txt'): Record<string, unknown> => ({
  session_id: session,
  cwd: '/tmp',
  hook_event_name: 'PermissionRequest',
  tool_name: 'Bash',
  tool_input: { command: line },
});

/** The end of a turn. */
export const stop = (session: string): Record<string, unknown> => ({
  session_id: session,
  cwd: '/tmp',
  hook_event_name: 'Stop',
  last_assistant_message: `All done in ${session}.`,
});

/** Asks as a hook does, from this process, and takes the answer; `startedAt`: Unix ms, when the client started it. */
export async function waitAsHook(
  home: string,
  input: Record<string, unknown>,
  startedAt = Date.now(),
): Promise<Conversation> {
  const talk = converse(home, true);
  const origin = { pid: process.pid, ppid: process.ppid, env: {} };
  const reply = ['Stop', 'StopFailure'].includes(String(input['hook_event_name']));
  talk.send({
    v: 1,
    op: 'ask',
    args: { startedAt, agent: 'claude', reply, raw: JSON.stringify(input), origin },
  });
  const first = await talk.next();
  if (typeof first?.data?.['wait'] !== 'number') throw new Error(`it is not to wait: ${JSON.stringify(first)}`);
  return talk;
}

/** The questions of a home. */
export async function questionsIn(home: string): Promise<readonly Question[]> {
  const store = await openReader(pathsBelow(home).database, 'all');
  try {
    return await store.questions({});
  } finally {
    await store.close();
  }
}

/** The open question of a session, once it is there. */
export const openQuestion = (home: string, session: string): Promise<Question> =>
  until(
    async () => (await questionsIn(home)).find((q) => q.state === 'open' && q.sessionKey.endsWith(`/${session}`)),
    `an open question of ${session}`,
    30_000,
  );

/** Allows it, as it was shown, as soon as its client has put it to the daemon that runs now. */
export async function answeredOnceAsked(home: string, question: Question): Promise<void> {
  const args = { id: question.id, seen: seenOf(question), answer: { type: 'allow' } };
  const refused = async (): Promise<string | undefined> => (await command(home, 'answer', args))?.error;
  await until(async () => {
    const why = await refused();
    if (why !== undefined && !why.includes('try again in a few seconds')) throw new Error(why);
    return why === undefined;
  }, 'the same question to be put again');
}

/** The hook program while it runs. */
export interface RunningHook {
  readonly process: ChildProcess;
  readonly ended: Promise<Ran>;
}

/** Starts the answering hook; `input` null: its stdin stays open and empty. */
export function startAsk(
  home: string,
  input: string | null,
  args: readonly string[],
  env: Record<string, string> = {},
): RunningHook {
  const began = performance.now();
  const child = spawn(process.execPath, [ASK_PROGRAM, ...args], { env: bareEnv(home, env) });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  child.stdin.on('error', () => undefined); // it may leave before it has read all
  if (input !== null) child.stdin.end(input);
  const ended = new Promise<Ran>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr, ms: performance.now() - began }));
  });
  return { process: child, ended };
}

/** How often a hook is started that left since the daemon, on a busy machine, did not say in time that it is to wait. */
const MOST_STARTS = 50;

/** Starts the answering hook, and again if it left without waiting, until it waits; with its open question. */
export async function startWaiting(
  home: string,
  input: Record<string, unknown>,
  args: readonly string[] = ['--agent', 'claude'],
): Promise<RunningHook & { readonly question: Question }> {
  for (let start = 1; start <= MOST_STARTS; start++) {
    const hook = startAsk(home, JSON.stringify(input), args);
    const left = hook.ended.then(() => null);
    let isOver = false;
    void left.then(() => {
      isOver = true;
    });
    const question = await until(async () => {
      const open = (await questionsIn(home)).find(
        (q) => q.state === 'open' && q.sessionKey.endsWith(`/${String(input['session_id'])}`),
      );
      return open ?? (isOver ? 'left' : undefined);
    }, 'an open question, or the end of the hook');
    if (question === 'left') continue;
    // The question is open a moment before its hook hears of it; what has not left by then waits.
    const settled = Date.now() + 2 * WAIT_LIMIT;
    if ((await until(() => (isOver ? 'left' : Date.now() > settled), 'the hook to wait')) !== 'left')
      return { ...hook, question };
  }
  throw new Error(`the hook left ${MOST_STARTS} times`);
}
