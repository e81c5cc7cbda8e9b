// What an event costs on a database filled to its bound, with a channel that fails and without.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { encodeEnvelope } from '../../src/ipc/envelope.ts';
import { newId } from '../../src/ipc/id.ts';
import { fillDatabase } from '../full-database.ts';
import { type BenchHome, type BenchReceiver, openHome, startDaemon, startReceiver, until } from '../home.ts';
import { type Measure, quantile, type Section, spread } from '../measure.ts';

/** Below the default bound, so that retention has nothing to do. */
const FULL = 190_000_000;
/** Deliveries that wait for the failing channel. */
const BACKLOG = 2_000;
/** Ms between events. */
const APART = 100;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Processor time of all its threads, ms; NaN where the platform does not say. */
function cpuMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

/** A service that takes what it is sent, or refuses it for a reason that only a person can mend. */
async function startOther(refuses: boolean): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(refuses ? 401 : 200).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a TCP server has this form of address
    close: () => void server.close().closeAllConnections(),
  };
}

function submit(home: BenchHome, session: string): Promise<void> {
  const at = Date.now();
  const raw = Buffer.from(
    JSON.stringify({ type: 'agent.waiting', session_id: session, message: 'May I? '.repeat(80) }),
  );
  const origin = { pid: process.pid, ppid: process.ppid, env: {} };
  const event = { id: newId(at), agent: 'generic', startedAt: at, receivedAt: at, origin, raw };
  return new Promise((resolve, reject) => {
    const socket = connect(home.paths.socket);
    socket.on('data', () => socket.destroy());
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.write(encodeEnvelope(event));
  });
}

interface Course {
  readonly full: boolean;
  readonly failing: boolean;
  readonly events: number;
}

interface Figures {
  readonly readyMs: number;
  readonly cpu: number;
  readonly delays: readonly number[];
}

async function measure(receiver: BenchReceiver, { full, failing, events }: Course): Promise<Figures> {
  const other = await startOther(failing);
  const home = openHome(`[channels.good]
type = "webhook"
url = "${receiver.url}"
allow_private = true
[channels.other]
type = "webhook"
url = "${other.url}"
allow_private = true
[[routes]]
to = ["good", "other"]
`);
  const backlog = { channel: 'other', count: failing ? BACKLOG : 0 };
  if (full) await fillDatabase(home.paths.database, FULL, { channels: ['good', 'other'], sessions: 500, backlog });
  const daemon = await startDaemon(home);
  const course = `${full ? 'full' : 'new'}-${failing ? 'failing' : 'well'}`;
  const one = async (n: string): Promise<number> => {
    const began = performance.now();
    await submit(home, `${course}-${n}`);
    await until(() => receiver.arrivals.has(`${course}-${n}`));
    return (receiver.arrivals.get(`${course}-${n}`) ?? Number.NaN) - began;
  };
  try {
    for (let n = 0; n < 20; n++) await one(`warm-${n}`); // the breaker opens
    await pause(5_000); // retention has looked through it
    const before = cpuMs(daemon.pid);
    const delays: number[] = [];
    for (let n = 0; n < events; n++) {
      delays.push(await one(String(n)));
      await pause(APART);
    }
    return { readyMs: daemon.readyMs, cpu: (cpuMs(daemon.pid) - before) / events, delays };
  } finally {
    await daemon.stop();
    other.close();
    home.remove();
  }
}

async function fullDatabase(events: number): Promise<Measure[]> {
  const receiver = await startReceiver();
  const section = 'full-database';
  try {
    const fresh = await measure(receiver, { full: false, failing: false, events });
    const well = await measure(receiver, { full: true, failing: false, events });
    const failing = await measure(receiver, { full: true, failing: true, events });
    const ratio = failing.cpu / well.cpu;
    const goal = { goal: 'at most 1.3 times', met: ratio <= 1.3, ratio, against: 'all channels well' };
    const cpu = (name: string, { cpu: value }: Figures, more: Partial<Measure> = {}): Measure => ({
      section,
      name: `processor time an event, ${name}`,
      unit: 'ms',
      runs: events,
      value,
      ...more,
    });
    const delay = (name: string, { delays }: Figures): Measure =>
      spread(section, `to the channel that is well, ${name}`, 'ms', delays, {
        ratio: quantile(delays, 0.5) / quantile(well.delays, 0.5),
        against: 'full, all channels well',
      });
    const start = (name: string, { readyMs: value }: Figures): Measure => ({
      section,
      name: `start to ready, ${name}`,
      unit: 'ms',
      runs: 1,
      value,
    });
    return [
      cpu('new database', fresh),
      cpu('full database, all channels well', well),
      cpu('full database, one channel failing', failing, goal),
      delay('new database', fresh),
      delay('full database, all channels well', well),
      delay('full database, one channel failing', failing),
      start('new database', fresh),
      start('full database, all channels well', well),
      start('full database, one channel failing', failing),
    ];
  } finally {
    receiver.close();
  }
}

export const FULL_DATABASE_SECTIONS: readonly Section[] = [
  {
    name: 'full-database',
    about: `One event after another to two webhooks on this machine: with a new database, with one of ${FULL / 1e6} MB (the default bound is 200 MB), and with that one, a channel of the two that refuses everything and ${BACKLOG} deliveries that wait for it.`,
    run: ({ full }) => fullDatabase(full ? 400 : 100),
  },
];
