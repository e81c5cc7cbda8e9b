// An hour of steady work (short: two minutes): the daemon's memory, file handles and database stay flat.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';
import { kept, sendOne, settleIn } from './senders.ts';
import { figures, size } from './size.ts';

const DURATION = size(3_600_000, 120_000);
/** Between events, ms: some thousand an hour. */
const EVERY = size(500, 400);
const SESSIONS = Array.from({ length: 5 }, (_, i) => `steady-${i}`);

const resident = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
const handles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

test('memory and handles stay flat', async () => {
  const home = temporaryFolder();
  const receiver = await startReceiver();
  settleIn(home, `${receiver.url}/audit`);
  const daemon = await startDaemon(home);
  // One in twenty fails at first, so that retries are part of it.
  receiver.answer = (_request, index) => (index % 20 === 7 ? 500 : 200);
  const began = Date.now();
  const samples: { readonly at: number; readonly mb: number; readonly handles: number }[] = [];
  const rounds: Record<string, number> = Object.fromEntries(SESSIONS.map((s) => [s, 0]));
  for (let n = 0; Date.now() - began < DURATION; n++) {
    const session = SESSIONS[n % SESSIONS.length] ?? '';
    await sendOne(home, session, rounds[session] ?? 0);
    rounds[session] = (rounds[session] ?? 0) + 1;
    if (n % 10 === 0) samples.push({ at: Date.now() - began, mb: resident(daemon.pid), handles: handles(daemon.pid) });
    const next = began + (n + 1) * EVERY;
    await until(() => Date.now() >= next, 'the next event to be due');
  }
  const lost = (): string[] => SESSIONS.flatMap((s) => kept(receiver.requests, [s], rounds[s] ?? 0).missing);
  await until(() => lost().length === 0, 'everything to be notified', 120_000).catch(() => undefined);
  const end = kept(receiver.requests, SESSIONS, 0);
  await daemon.stop();
  // The first quarter warms up; after it the middle of the second quarter is compared with the last.
  const part = (from: number, to: number) => samples.filter((s) => s.at >= DURATION * from && s.at < DURATION * to);
  const middle = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const early = part(0.25, 0.5);
  const late = part(0.75, 1);
  const growth = middle(late.map((s) => s.mb)) - middle(early.map((s) => s.mb));
  const moreHandles = middle(late.map((s) => s.handles)) - middle(early.map((s) => s.handles));
  figures('soak', {
    seconds: DURATION / 1_000,
    events: Object.values(rounds).reduce((a, b) => a + b, 0),
    lost: lost().length,
    'notified twice': end.twice.length,
    'MB early': middle(early.map((s) => s.mb)),
    'MB late': middle(late.map((s) => s.mb)),
    'handles early': middle(early.map((s) => s.handles)),
    'handles late': middle(late.map((s) => s.handles)),
  });
  expect(lost()).toEqual([]);
  expect(end.twice).toEqual([]);
  expect(end.disordered).toEqual([]);
  expect(growth).toBeLessThan(10);
  expect(moreHandles).toBeLessThanOrEqual(2);
});
