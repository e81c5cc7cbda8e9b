// `belfry pending` in full: what each row says, read from a store.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { expect, onTestFinished, test, vi } from 'vitest';
import { describeRow } from '../../../../src/cli/commands/pending/describe-row.ts';
import { define } from '../../../../src/cli/commands/pending/pending.ts';
import { canFocusRow, readRows } from '../../../../src/cli/commands/pending/rows.ts';
import { processIo } from '../../../../src/cli/io.ts';
import { newId } from '../../../../src/ipc/id.ts';
import type { Event } from '../../../../src/model/event/event.ts';
import { sessionKeyText } from '../../../../src/model/ids.ts';
import { UNKNOWN_PLACE } from '../../../../src/model/session/place.ts';
import { HERE } from '../../../../src/model/session/whereabouts.ts';
import type { SessionState } from '../../../../src/model/session/session.ts';
import { startTime } from '../../../../src/runtime/process-table.ts';
import { openStore } from '../../../../src/store/open.ts';
import { pathsBelow, temporaryFolder } from '../../../support/home.ts';
import { madeDecision, madeEvent, madeNotification, madeSession } from '../../../support/made.ts';
import { commitOne, keepSession } from '../../../support/store-writes.ts';

const NOW = Date.now();

/** A store on a disk of its own, and the rows of it as they are printed at 100 columns. */
async function storeHere() {
  const home = temporaryFolder();
  const paths = pathsBelow(home);
  mkdirSync(dirname(paths.database), { recursive: true });
  const store = await openStore(paths.database);
  onTestFinished(() => store.close());
  const style = { width: 100, now: NOW, paint: (_tone: unknown, text: string) => text };
  return {
    home,
    store,
    printed: async (env = {}) => {
      const rows = await readRows(store, paths);
      return Promise.all(
        rows.map(async (row) => describeRow(row, style, { canFocus: await canFocusRow(row, store, env) })),
      );
    },
    /** The event, with its notification where people are told of it. */
    happened: (event: Event, title?: string) => {
      const { id, kind, detail, urgency } = event;
      const made = madeNotification({ id: `ntf_${id}`, eventIds: [id], kind, detail, urgency, title: title ?? '' });
      const notifications = title === undefined ? [] : [made];
      const events = [{ event, fingerprint: null, verdicts: [] }];
      return commitOne(store, madeDecision({ entryId: event.id, at: NOW, events, deliveries: [], notifications }));
    },
  };
}

type Here = Awaited<ReturnType<typeof storeHere>>;

/** A turn of Claude is over, and its hook waits for the next instruction. */
async function waits({ store }: Here, event: Event, state: SessionState, text: string) {
  const session = madeSession({
    ...event,
    sessionId: String(event.sessionId),
    state,
    memory: { failure: { id: event.id } },
  });
  await keepSession(store, { ...session, version: 0 });
  const subject = { agent: event.agent, sessionId: event.sessionId, cwd: event.cwd, subagent: null, tool: null, text };
  await store.putQuestion({
    id: `qst_${event.id}`,
    notificationId: `ntf_${event.id}`,
    sessionKey: sessionKeyText(session),
    kind: 'text',
    subject: { ...subject, choices: [], partial: null },
    inputHash: 'of the input',
    nonce: 'nonce',
    deadline: NOW + 3_600_000,
  });
}

const failure = (): Event =>
  madeEvent({
    id: newId(NOW),
    kind: 'session.failed',
    agent: 'claude',
    detail: 'server',
    message: null,
    cwd: '/src/web',
  });

test('a failure without a message has no quote, and what it says of it is its cause, whether somebody was notified or not', async () => {
  for (const title of ['web: Claude stopped: server error', undefined]) {
    const here = await storeHere();
    const event = failure();
    await here.happened(event, title);
    await waits(here, event, 'failed', '');
    const [lines = [], ...others] = await here.printed();
    expect(others).toEqual([]);
    expect(lines.filter((line) => line.trim() === '│')).toEqual([]);
    expect(lines[0]).toMatch(/^1 {2}.*stopped: server error$/);
    expect(lines.join('\n')).toContain('Let it go on: belfry continue 1');
  }
});

test('the short list names the cause as the title does', async () => {
  const here = await storeHere();
  await here.happened(failure(), 'web: Claude stopped: server error');
  vi.stubEnv('BELFRY_HOME', here.home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const lines: string[] = [];
  const command = new Command();
  define(command, { ...processIo(false), tty: false, line: (text) => void lines.push(text) }, []);
  await command.parseAsync(['--short'], { from: 'user' });
  expect(lines.map((line) => line.split('\t')[2])).toEqual(['failed: server error']);
});

test('focus is promised where there is a way to the terminal, and only there', async () => {
  const here = await storeHere();
  const place = { ...UNKNOWN_PLACE, display: ':0' };
  const running = { pid: process.pid, start: startTime(process.pid) ?? '', name: 'gemini' };
  for (const [sessionId, at, client] of [
    ['on X11', place, null],
    ['over SSH', { ...place, ssh: '192.0.2.1 5000 192.0.2.2 22' }, null],
    ['in tmux, nobody knows as which process', { ...place, tmux: { socket: '/tmp/tmux', pane: '%1' } }, null],
    ['exited', place, { ...running, pid: 2 ** 22 + 1 }],
  ] as const) {
    const what = { kind: 'agent.waiting', detail: 'permission', agent: 'gemini' } as const;
    const event = madeEvent({ ...HERE, ...what, id: newId(NOW), sessionId, place: at });
    await here.happened(event, sessionId);
    await keepSession(here.store, madeSession({ ...event, sessionId, version: 0, state: 'waiting', process: client }));
  }
  const folder = temporaryFolder();
  for (const program of ['wmctrl', 'tmux']) writeFileSync(join(folder, program), '#!/bin/sh\n', { mode: 0o755 });
  const rows = await here.printed({ PATH: folder });
  const said = rows.map(([head = '', ...lines]) => [head.slice(3), lines.find((line) => line.includes('terminal'))]);
  expect(Object.fromEntries(said)).toEqual({
    'on X11': expect.stringMatching(/^ {3}Answer it at its terminal\. belfry focus \d takes you there\.$/),
    'over SSH': '   Answer it at its terminal.',
    'in tmux, nobody knows as which process': '   Answer it at its terminal.',
    exited: '   Answer it at its terminal.',
  });
});

test('what a finish says is quoted, and its head says that it has finished', async () => {
  const here = await storeHere();
  const event = madeEvent({ id: newId(NOW), kind: 'agent.finished', agent: 'claude', cwd: '/src/web' });
  await waits(here, event, 'finished', 'All done.');
  const [lines = []] = await here.printed();
  expect(lines[0]).toBe('1  web: Claude has finished');
  expect(lines).toContain('   │ All done.');
});
