// A spool that filled while no daemon ran: each session stays in order, with what comes by the socket and by the spool meanwhile.
import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Envelope } from '../../src/ipc/envelope.ts';
import { newId } from '../../src/ipc/id.ts';
import { writeSpool } from '../../src/ipc/spool.ts';
import { ALL } from '../../src/store/contract.ts';
import { openReader } from '../../src/store/open-reader.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { startDaemon } from '../support/programs.ts';
import { submitInput } from '../support/submit.ts';
import { until } from '../support/wait.ts';
import { figures, size } from './size.ts';

const SESSIONS = Array.from({ length: 100 }, (_, i) => `s${i}`);
const FILES = size(50_000, 3_000);
/** Of what comes meanwhile, for each session. */
const LATER = size(10, 3);

const input = (session: string, n: number) => ({
  session_id: session,
  cwd: '/tmp',
  hook_event_name: 'UserPromptSubmit',
  prompt: `${n}`,
});

const envelope = (id: string, at: number, session: string, n: number): Envelope => ({
  id,
  agent: 'claude',
  startedAt: at,
  receivedAt: at,
  origin: { pid: 1, ppid: 1, env: {} },
  raw: Buffer.from(JSON.stringify(input(session, n))),
});

test(`${FILES} files in the spool: sessions stay in order`, async () => {
  const home = temporaryFolder();
  const paths = pathsBelow(home);
  mkdirSync(paths.spool, { recursive: true, mode: 0o700 });
  /** What each session sent, in order. */
  const sent = new Map(SESSIONS.map((session) => [session, [] as string[]]));
  const idAt = (at: number, session: string): string => {
    const id = newId(at);
    sent.get(session)?.push(id);
    return id;
  };
  const from = Date.now() - FILES;
  for (let i = 0; i < FILES; i++) {
    const session = `s${i % SESSIONS.length}`;
    expect(writeSpool(paths.spool, envelope(idAt(from + i, session), from + i, session, i))).toBeNull();
  }
  const began = performance.now();
  const daemon = await startDaemon(home);
  const opened = performance.now() - began;
  let slowest = 0;
  for (let n = 0; n < LATER; n++)
    for (const session of SESSIONS) {
      const at = Date.now();
      const id = idAt(at, session);
      if (n % 2 === 0) {
        expect(await submitInput(paths.socket, id, input(session, FILES + n))).toBe(true);
        slowest = Math.max(slowest, Date.now() - at);
      } else expect(writeSpool(paths.spool, envelope(id, at, session, FILES + n))).toBeNull();
    }
  const total = FILES + LATER * SESSIONS.length;
  const store = await openReader(paths.database, 'all');
  const decided = async (): Promise<number> => (await store.counts()).events;
  let before = -1;
  for (let now = await decided(); now < total && now > before; now = await decided()) {
    before = now;
    await until(async () => (await decided()) > Math.min(before + 500, total - 1), 'more to be decided', 120_000);
  }
  const rows = await store.events({ afterRow: 0, limit: ALL });
  await store.close();
  await daemon.stop();
  const recorded = new Map(SESSIONS.map((session) => [session, [] as string[]]));
  for (const { event } of rows) recorded.get(event.sessionId ?? '')?.push(event.id);
  const disordered = SESSIONS.filter((session) => recorded.get(session)?.join() !== sent.get(session)?.join());
  figures('backlog', {
    files: FILES,
    'new meanwhile': LATER * SESSIONS.length,
    decided: rows.length,
    'ready after, ms': opened,
    'slowest acknowledgement, ms': slowest,
    'sessions out of order': disordered.length,
    'decided a second': total / ((performance.now() - began) / 1_000),
  });
  expect(rows).toHaveLength(total);
  expect(disordered).toEqual([]);
});
