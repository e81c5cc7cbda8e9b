// Twenty sessions with transcripts of 5 MB each that fail or finish at one moment: of each only its end is read, and hooks are acknowledged meanwhile.
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newId } from '../../src/ipc/id.ts';
import { openReader } from '../../src/store/open-reader.ts';
import { pathsBelow } from '../support/home.ts';
import { startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { submitInput } from '../support/submit.ts';
import { homeWith, webhookTo } from '../support/thread.ts';
import { until } from '../support/wait.ts';
import { figures } from './size.ts';

const SESSIONS = 20;
const MB = 1024 * 1024;
/** What one session's end may cost: a look at its turn as it begins, one as it has grown, one as its hook comes, and its last words. */
const EACH = 0.75 * MB;
/** Ms in which a hook is acknowledged, however busy the daemon: the goal of docs/contributing/performance.md for a hook at its worst. */
const ACKNOWLEDGED = 250;

const lineOf = (payload: Record<string, unknown>): string =>
  `${JSON.stringify({ timestamp: new Date().toISOString(), type: 'event_msg', payload })}\n`;

/** Bytes that a process has read, by whatever call. */
const bytesRead = (pid: number): number =>
  Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? Number.NaN);

interface Cost {
  readonly read: number;
  readonly transcripts: number;
  readonly acknowledgements: number;
  readonly slowest: number;
}

/** Twenty turns with transcripts of so many bytes: half of them fail without a hook, half finish. */
async function course(size: number): Promise<Cost> {
  const receiver = await startReceiver();
  const home = homeWith(webhookTo(receiver.url));
  const folder = join(home, '.codex', 'sessions', '2026', '11', '28');
  mkdirSync(folder, { recursive: true });
  const names = Array.from({ length: SESSIONS }, (_, i) => `session-${i}`);
  const pathOf = (name: string): string => join(folder, `rollout-${name}.jsonl`);
  const filler = lineOf({ type: 'agent_reasoning', text: 'It thinks. '.repeat(600) });
  for (const name of names) writeFileSync(pathOf(name), filler.repeat(Math.ceil(size / filler.length)));
  const daemon = await startDaemon(home);
  const { socket, database } = pathsBelow(home);
  const hand = (name: string, input: Record<string, unknown>): Promise<boolean> =>
    submitInput(
      socket,
      newId(Date.now()),
      { session_id: name, turn_id: `turn-${name}`, transcript_path: pathOf(name), cwd: '/tmp', ...input },
      'codex',
    );
  const before = bytesRead(daemon.pid);
  let isOver = false;
  const took: number[] = [];
  const knocking = (async () => {
    while (!isOver) {
      const began = performance.now();
      expect(await hand(`knock-${took.length}`, { hook_event_name: 'SessionStart', transcript_path: null })).toBe(true);
      took.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 20)); // a hook now and then
    }
  })();
  await Promise.all(names.map((name) => hand(name, { hook_event_name: 'UserPromptSubmit', prompt: 'Mend it' })));
  const error = { message: 'The server is overloaded.', codex_error_info: 'server_overloaded' };
  await Promise.all(
    names.map(async (name, i) => {
      const fails = i % 2 === 0;
      const end = { type: 'task_complete', turn_id: `turn-${name}`, ...(fails && { error }) };
      appendFileSync(pathOf(name), lineOf(end));
      if (!fails) await hand(name, { hook_event_name: 'Stop', last_assistant_message: 'It is mended.' });
    }),
  );
  const store = await openReader(database, 'all');
  await until(async () => {
    const ended = await store.events({ kinds: ['session.failed', 'agent.finished'], limit: 100 });
    return new Set(ended.map(({ event }) => event.sessionId)).size === SESSIONS;
  }, 'the ends of all turns');
  isOver = true;
  await knocking;
  await store.close();
  const read = bytesRead(daemon.pid) - before;
  await daemon.stop();
  const transcripts = names.reduce((sum, name) => sum + statSync(pathOf(name)).size, 0);
  return { read, transcripts, acknowledgements: took.length, slowest: Math.max(...took) };
}

test.skipIf(process.platform !== 'linux')(`${SESSIONS} transcripts of 5 MB`, async () => {
  const small = await course(1_000);
  const large = await course(5 * MB);
  const read = large.read - small.read;
  figures('transcripts', {
    'transcripts, MB': large.transcripts / MB,
    'read of them, MB': read / MB,
    acknowledgements: large.acknowledgements,
    'slowest, ms': large.slowest,
    'slowest with small ones, ms': small.slowest,
  });
  expect(large.transcripts).toBeGreaterThan(100 * MB);
  expect(read).toBeLessThan(SESSIONS * EACH);
  expect(large.slowest).toBeLessThan(ACKNOWLEDGED);
});
