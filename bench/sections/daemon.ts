// The daemon: at rest, under steady load, with a backlog.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { Envelope } from '../../src/ipc/envelope.ts';
import { newId } from '../../src/ipc/id.ts';
import { writeSpool } from '../../src/ipc/spool.ts';
import { openConnection } from '../../src/store/sqlite/engine/database.ts';
import { type BenchHome, openHome, residentMb, send, startDaemon, startReceiver, until } from '../home.ts';
import { type Measure, quantile, type Section, spread } from '../measure.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** An event that is journaled and decided, and notifies nobody. */
function envelope(at: number, session: string, count: number): Envelope {
  const raw = JSON.stringify({ hook_event_name: 'Bench', session_id: session, count, text: 'x'.repeat(700) });
  const origin = { pid: process.pid, ppid: process.ppid, env: {} };
  return { id: newId(at), agent: 'generic', startedAt: at, receivedAt: at, origin, raw: Buffer.from(raw) };
}

/** An event that is sent wherever a route leads. */
function waiting(at: number, session: string): Envelope {
  const raw = JSON.stringify({ type: 'agent.waiting', session_id: session, message: 'May I? '.repeat(80) });
  return { ...envelope(at, session, 0), raw: Buffer.from(raw) };
}

/** Voluntary context switches of all of a process's threads: its wake-ups. */
function wakeUps(pid: number): number {
  return readdirSync(`/proc/${pid}/task`)
    .map((task) => readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8'))
    .map((text) => Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(text)?.[1] ?? 0))
    .reduce((sum, count) => sum + count, 0);
}

/** What twenty events leave behind, sent to nobody and sent through a channel. */
async function rest(full: boolean): Promise<Measure[]> {
  const [idle, wakes] = await restAfter(20, full, false);
  const [sending] = await restAfter(20, full, true);
  const [many] = await restAfter(200, full, true);
  const common = { section: 'rest', runs: 1 } as const;
  const memory = (name: string, value: number): Measure => ({
    ...common,
    name: `resident memory after ${name}`,
    unit: 'MB',
    value,
    goal: '<= 65',
    met: value <= 65,
  });
  return [
    memory('twenty events sent to nobody', idle),
    memory('twenty events sent to a webhook', sending),
    memory('two hundred events sent to a webhook', many),
    { ...common, name: 'wake-ups, all threads', unit: '1/s', value: wakes, goal: '<= 1', met: wakes <= 1 },
  ];
}

/** Resident MB and wake-ups a second of a daemon at rest after so many events. */
async function restAfter(events: number, full: boolean, sent: boolean): Promise<readonly [number, number]> {
  const receiver = await startReceiver();
  const channel = `[channels.bench]\ntype = "webhook"\nurl = "${receiver.url}"\nallow_private = true\n`;
  const home = openHome(sent ? `${channel}[[routes]]\nto = ["bench"]\n` : '');
  const daemon = await startDaemon(home);
  try {
    for (let i = 0; i < events; i++)
      await send(home, sent ? waiting(Date.now(), `rest-${i}`) : envelope(Date.now(), 'rest', i));
    if (sent) await until(() => receiver.arrivals.size === events);
    await pause(full ? 30_000 : 12_000); // it collects garbage once after work
    const seconds = full ? 30 : 5;
    const before = process.platform === 'linux' ? wakeUps(daemon.pid) : Number.NaN;
    await pause(seconds * 1000);
    const after = process.platform === 'linux' ? wakeUps(daemon.pid) : Number.NaN;
    return [residentMb(daemon.pid), (after - before) / seconds];
  } finally {
    await daemon.stop();
    receiver.close();
    home.remove();
  }
}

/** Offers 500 events a second whether or not the earlier ones were acknowledged. */
async function steady(full: boolean): Promise<Measure[]> {
  const home = openHome();
  const daemon = await startDaemon(home);
  try {
    const seconds = full ? 60 : 5;
    const answers: Promise<number>[] = [];
    let largest = 0;
    const look = (): void => {
      largest = Math.max(largest, residentMb(daemon.pid));
    };
    const began = performance.now();
    while (performance.now() - began < seconds * 1000) {
      const due = Math.floor((performance.now() - began) / 2);
      while (answers.length < due)
        answers.push(send(home, envelope(Date.now(), `s${answers.length % 50}`, answers.length)));
      look();
      await pause(4);
    }
    const times = await Promise.all(answers);
    const rate = times.length / ((performance.now() - began) / 1000);
    const acknowledged = performance.now();
    for (; countUndecided(home) > 0; await pause(50)) look();
    const decidedAfter = performance.now() - acknowledged;
    const kept = times.filter((ms) => !Number.isNaN(ms)).sort((a, b) => a - b);
    const at = (q: number): number => kept[Math.min(kept.length - 1, Math.floor(kept.length * q))] ?? Number.NaN;
    const lost = times.length - kept.length;
    const runs = times.length;
    const section = 'steady';
    const perThousand = (databaseBytes(home) / 1024 / runs) * 1000;
    return [
      {
        section,
        name: `acknowledged, offered 500/s for ${seconds} s`,
        unit: '1/s',
        runs,
        value: rate,
        goal: '500',
        met: rate >= 490,
      },
      { section, name: 'not acknowledged', unit: 'count', runs, value: lost, goal: '0', met: lost === 0 },
      { section, name: 'to the acknowledgement', unit: 'ms', runs, value: at(0.5), p95: at(0.95), p99: at(0.99) },
      { section, name: 'all decided after the last acknowledgement', unit: 'ms', runs, value: decidedAfter },
      {
        section,
        name: 'largest resident memory',
        unit: 'MB',
        runs,
        value: largest,
        goal: '<= 150',
        met: largest <= 150,
      },
      { section, name: 'database growth per 1,000 events of 0.8 KB', unit: 'KB', runs, value: perThousand },
    ];
  } finally {
    await daemon.stop();
    home.remove();
  }
}

function databaseBytes(home: BenchHome): number {
  return ['', '-wal']
    .map((ending) => statSync(home.paths.database + ending, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}

/** Entries of the journal that wait for their decision. */
function countUndecided(home: BenchHome): number {
  const db = openConnection(home.paths.database, { readOnly: true });
  try {
    return db.get<{ count: number }>('SELECT count(*) AS count FROM journal WHERE decided_at IS NULL')?.count ?? 0;
  } finally {
    db.close();
  }
}

async function backlog(full: boolean): Promise<Measure[]> {
  const home = openHome();
  const count = full ? 100_000 : 5_000;
  for (let i = 0; i < count; i++) writeSpool(home.paths.spool, envelope(Date.now() - count + i, `s${i % 100}`, i));
  const began = performance.now(); // it reads the spool before it is ready
  const daemon = await startDaemon(home);
  try {
    let largest = 0;
    const fresh: number[] = [];
    const look = async (): Promise<void> => {
      fresh.push(await send(home, envelope(Date.now(), 'fresh', Math.round(performance.now()))));
      largest = Math.max(largest, residentMb(daemon.pid));
      await pause(full ? 200 : 20);
    };
    const perSecond = (): number => count / ((performance.now() - began) / 1000);
    while (readdirSync(home.paths.spool).length > 0) await look();
    const taken = perSecond();
    while (countUndecided(home) > 0) await look();
    const section = 'backlog';
    const runs = count;
    const all = `${count.toLocaleString('en')} spooled events`;
    return [
      { section, name: `${all} taken over, from the start`, unit: '1/s', runs, value: taken },
      { section, name: `${all} taken over and decided, from the start`, unit: '1/s', runs, value: perSecond() },
      spread(section, 'new events meanwhile', 'ms', fresh, { goal: '<= 35', met: quantile(fresh, 0.5) <= 35 }),
      { section, name: 'slowest of them', unit: 'ms', runs: fresh.length, value: Math.max(...fresh) },
      {
        section,
        name: 'largest resident memory',
        unit: 'MB',
        runs,
        value: largest,
        goal: '<= 150',
        met: largest <= 150,
      },
    ];
  } finally {
    await until(() => readdirSync(home.paths.spool).length === 0, true);
    await daemon.stop();
    home.remove();
  }
}

export const DAEMON_SECTIONS: readonly Section[] = [
  { name: 'rest', about: 'A daemon that has nothing to do.', run: ({ full }) => rest(full) },
  {
    name: 'steady',
    about: 'Events of fifty sessions over the socket at a fixed rate, journaled and decided, sent to nobody.',
    run: ({ full }) => steady(full),
  },
  {
    name: 'backlog',
    about: 'A spool filled while the daemon was down, and new events over the socket meanwhile.',
    run: ({ full }) => backlog(full),
  },
];
