// The lists at a terminal of 60, 80 and 120 columns and in a pipe: nothing wraps, times and ids are whole, dropped columns are named.
import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Define } from '../../src/cli/command-entry.ts';
import { define as deliveries } from '../../src/cli/commands/history/deliveries.ts';
import { eventRow } from '../../src/cli/commands/history/event-rows.ts';
import { define as events } from '../../src/cli/commands/history/events.ts';
import { define as pending } from '../../src/cli/commands/pending/pending.ts';
import { define as explain } from '../../src/cli/commands/routes/explain.ts';
import { define as routes } from '../../src/cli/commands/routes/routes.ts';
import { type Io, processIo } from '../../src/cli/io.ts';
import { define as sessions } from '../../src/cli/commands/history/sessions.ts';
import { newId } from '../../src/ipc/id.ts';
import type { Kind } from '../../src/model/event/event.ts';
import type { Verdict } from '../../src/model/event/verdict.ts';
import { openStore } from '../../src/store/open.ts';
import { pathsBelow } from '../support/home.ts';
import { madeDecision, madeDelivery, madeEvent, madeContent, madeNotification, madeSession } from '../support/made.ts';
import { commitOne, keepSession } from '../support/store-writes.ts';

/** What a command prints where stdout is so. */
async function seen(define: Define, given: readonly string[], more: Partial<Io> = {}) {
  const args = define === pending ? ['--short', ...given] : given;
  const lines: string[] = [];
  const notes: string[] = [];
  const command = new Command();
  const io = {
    ...processIo(false),
    tty: true,
    color: false,
    line: (text: string) => void lines.push(text),
    note: (text: string) => void notes.push(text),
    ...more,
  };
  define(command, io, []);
  await command.parseAsync([...args], { from: 'user' });
  return { lines, notes };
}

const NOW = Date.now();
/** Two of one millisecond: their ids begin with the same 13 characters. */
const IDS = [newId(NOW - 5_000, '0'.repeat(19)), newId(NOW - 5_000, '01'.padEnd(19, '0')), newId(NOW - 1_000)];
const MESSAGE =
  '小さなモデル asks whether it may run a command with a name far longer than any terminal is wide: '.repeat(2);

const home = mkdtempSync(join(tmpdir(), 'belfry-test-'));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
});

beforeAll(async () => {
  vi.stubEnv('BELFRY_HOME', home);
  const store = await openStore(pathsBelow(home).database);
  const kinds: readonly Kind[] = ['agent.waiting', 'agent.other', 'session.failed'];
  for (const [i, id] of IDS.entries()) {
    const event = madeEvent({ id, kind: kinds[i] ?? 'test', at: NOW - 5_000, message: MESSAGE, detail: 'permission' });
    const delivery = madeDelivery({
      id: `dlv_${id}`,
      eventId: id,
      channel: 'team',
      createdAt: NOW - 5_000,
      state: i === 0 ? 'dead' : 'sent',
      attempts: i === 0 ? 12 : 1,
      lastError: i === 0 ? 'answered 500 (Internal Server Error)' : null,
      notificationId: `ntf_${id}`,
      content: madeContent({ title: MESSAGE }),
    });
    const verdicts = [{ stage: 'route', verdict: 'route' as const, note: 'team: route 1 (urgency urgent)' }];
    await commitOne(
      store,
      madeDecision({
        entryId: id,
        at: NOW,
        events: [{ event, fingerprint: null, verdicts }],
        deliveries: [delivery],
        notifications: [madeNotification({ id: `ntf_${id}`, eventIds: [id], title: MESSAGE })],
      }),
    );
  }
  for (const [i, state] of (['ended', 'finished', 'working', 'unknown', 'waiting', 'failed'] as const).entries())
    await keepSession(
      store,
      madeSession({
        sessionId: randomUUID(),
        agent: 'claude',
        state,
        since: NOW - 60_000,
        lastEvent: NOW - i * 1_000,
        title: MESSAGE,
        branch: 'feature/a-branch-with-a-long-name',
        project: 'payments',
        waitingFor: state === 'waiting' ? 'permission' : null,
      }),
    );
  await store.close();
});

const LISTS: readonly (readonly [string, Define, RegExp])[] = [
  ['events', events, /^\d\d:\d\d:\d\d +[0-9a-f-]{13,36} .*payments/],
  ['deliveries', deliveries, /^\d\d:\d\d:\d\d .*(given up|sent)/],
  ['pending', pending, /payments|permission|whether/],
  ['sessions', sessions, /^claude .* (working|waiting(: permission)?|ended|failed|finished|unknown) /],
];
const wide = (line: string): number => [...line].reduce((sum, c) => sum + (c > '\u2fff' ? 2 : 1), 0);

test.each(LISTS.flatMap((list) => [60, 80, 120].map((columns) => [list[0], columns, list[1], list[2]] as const)))(
  '%s at %i columns',
  async (name, columns, define, row) => {
    const { lines } = await seen(define, [], { columns });
    expect(lines.filter((line) => wide(line) > columns)).toEqual([]);
    const rows = lines.filter((line) => row.test(line));
    expect(rows).toHaveLength(name === 'sessions' ? 6 : name === 'events' ? 2 : 3);
    if (columns === 60) expect(lines.find((line) => line.startsWith('No room for '))).toMatch(/widen|--json/);
  },
);

test('sessions keep what runs where, and the id; the state gives its detail up before that', async () => {
  const head = async (columns: number): Promise<string> => (await seen(sessions, [], { columns })).lines[0] ?? '';
  for (let columns = 50; columns <= 140; columns += 5)
    expect(await head(columns)).toMatch(/^AGENT .*PROJECT .*STATE .*ID$/);
  expect(await head(60)).toMatch(/^AGENT +PROJECT +STATE +SINCE +ID$/);
  expect(await head(80)).toMatch(/^AGENT +PROJECT +TITLE +STATE +SINCE +ID$/);
  const rows = async (columns: number): Promise<string> => (await seen(sessions, [], { columns })).lines.join('\n');
  expect(await rows(60)).toMatch(/payments {2}waiting {2,}\d+ (?:s|min) ago/);
  expect(await rows(140)).toContain('waiting: permission');
});

test('pending keeps what it waits for at 60 columns, and its answers at 80', async () => {
  const head = async (columns: number): Promise<string> => (await seen(pending, [], { columns })).lines[0] ?? '';
  expect(await head(60)).toMatch(/^NO +.*WAITS FOR +TITLE/);
  expect(await head(80)).toMatch(/^NO +SINCE +WAITS FOR +TITLE/);
});

test('a text that is cut ends with a whole word', async () => {
  const words = new Set(MESSAGE.split(' '));
  for (let columns = 60; columns <= 100; columns += 3)
    for (const line of (await seen(deliveries, [], { columns })).lines.filter((one) => one.endsWith('…')))
      expect(words, line).toContain(line.slice(0, -1).split(' ').at(-1));
});

test('where room is short events say who was notified rather than the kind, which the title says', async () => {
  const heads: string[] = [];
  for (let columns = 50; columns <= 120; columns += 5) heads.push((await seen(events, [], { columns })).lines[0] ?? '');
  expect(heads.filter((head) => head.includes('KIND') && !head.includes('SENT TO'))).toEqual([]);
  expect(heads.filter((head) => head.includes('SENT TO') && !head.includes('KIND'))).not.toEqual([]);
});

test('the words of a client stand there without the marks of Markdown', () => {
  const event = madeEvent({ kind: 'agent.finished', agent: 'claude', message: 'All **done**: see `notes.md`' });
  const stored = { row: 1, version: 1, event, verdicts: [], fingerprint: null };
  expect(eventRow(stored, (id) => id, { tty: true }, NOW).at(-1)).toMatch(/ · All done: see notes\.md$/);
});

test('an id as it is shown means one event; in a pipe it is whole, with the date', async () => {
  const { lines } = await seen(events, ['--all'], { columns: 80 });
  const rows = lines.filter((line) => /^\d\d:/.test(line));
  const shown = rows.map((line) => line.split(/ +/)[1] ?? '');
  expect(shown.slice(0, 3).map((id) => IDS.filter((whole) => whole.startsWith(id)).length)).toEqual([1, 1, 1]);
  const piped = await seen(events, ['--all'], { tty: false });
  expect(piped.lines.map((line) => line.split('\t').slice(0, 3))).toEqual(
    IDS.map((id, i) => [
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      id,
      ['agent.waiting', 'agent.other', 'session.failed'][i],
    ]),
  );
});

test('a pipe has the rows of the terminal', async () => {
  const count = async (args: readonly string[], tty: boolean): Promise<number> => {
    const { lines } = await seen(events, args, { tty, columns: 200 });
    return lines.filter((line) => /\d\d:\d\d:\d\d/.test(line)).length;
  };
  expect([await count([], true), await count([], false)]).toEqual([2, 2]);
  expect([await count(['--all'], true), await count(['--all'], false)]).toEqual([3, 3]);
});

test('agent.other fills no list: it is said that it is there, --all and --kind list it', async () => {
  for (const tty of [true, false])
    expect((await seen(events, [], { tty })).notes).toEqual([
      'events that only track a session are not listed; --all shows them',
    ]);
  for (const args of [['--all'], ['--kind', 'agent.other']]) {
    const { lines, notes } = await seen(events, args, { columns: 120 });
    expect([lines.some((line) => line.includes('agent.other')), notes]).toEqual([true, []]);
  }
});

test('sessions: waiting first, then what failed, then those at work, those that are over last', async () => {
  const { lines } = await seen(sessions, [], { tty: false });
  expect(lines.map((line) => line.split('\t')[5])).toEqual([
    'waiting: permission',
    'failed',
    'working',
    'finished',
    'unknown',
    'ended',
  ]);
});

test('deliveries: what became of each in words', async () => {
  const { lines } = await seen(deliveries, [], { tty: false });
  expect(lines.map((line) => line.split('\t')[3])).toEqual(['given up after 12 attempts', 'sent', 'sent']);
});

test('events: a channel that an event did not reach is not shown as one that it was sent to', async () => {
  const { lines } = await seen(events, ['--all'], { tty: false });
  expect(lines.map((line) => line.split('\t')[6])).toEqual(['team (failed)', 'team', 'team']);
});

test('events: what was taken back, or cleared from what was given up, was not sent there', () => {
  const verdicts = [{ stage: 'route', verdict: 'route', note: 'team: route 1' }] as const;
  const stored = { event: madeEvent(), fingerprint: null, verdicts } as unknown as Parameters<typeof eventRow>[0];
  const row = eventRow(stored, (id) => id, { tty: false }, 0, new Map());
  expect(row.slice(6, 8)).toMatchObject([{ text: 'team (not sent)' }, { text: 'no' }]);
});

test.each([40, 60, 80, 120, 200])('at %i columns it stays visible that nobody was reached', async (columns) => {
  for (const define of [events, pending]) {
    const { lines } = await seen(define, [], { columns });
    expect(lines.filter((line) => /team \(failed\)| {2}failed(?: {2}|$)/.test(line))).toHaveLength(1);
  }
});

test('pending: a channel that was not reached is named, in a pipe too', async () => {
  const { lines } = await seen(pending, [], { tty: false });
  expect(lines.map((line) => line.split('\t')[5]).sort()).toEqual(['team', 'team', 'team (failed)']);
  expect(lines.map((line) => line.split('\t').length)).toEqual([7, 7, 7]);
});

test('pending says that a session waits of which nobody is notified, as no route takes it', async () => {
  const words = 'one session waits that no route takes: belfry sessions';
  const store = await openStore(pathsBelow(home).database);
  const [waiting] = (await store.sessions({})).filter(({ state }) => state === 'waiting');
  if (waiting === undefined) throw new Error('none waits');
  const ask = async (at: number, verdict: Verdict): Promise<void> => {
    const { sessionId, agent } = waiting;
    const event = madeEvent({ id: newId(at), kind: 'agent.waiting', detail: 'permission', sessionId, agent, at });
    await commitOne(
      store,
      madeDecision({ entryId: event.id, at, events: [{ event, fingerprint: null, verdicts: [verdict] }] }),
    );
  };
  const notes = async (): Promise<readonly string[]> => (await seen(pending, [])).notes;
  const none: Verdict = { stage: 'route', verdict: 'stop', note: 'no route matches' };
  expect(await notes()).toEqual([]); // nothing says why
  await ask(waiting.since, { stage: 'route', verdict: 'route', note: 'team: route 1' }); // and somebody has dealt with it
  expect(await notes()).toEqual([]);
  await ask(waiting.since - 1, none); // an earlier prompt
  expect(await notes()).toEqual([]);
  await ask(waiting.since + 1, none);
  expect(await notes()).toEqual([words]);
  await store.close();
});

test('a name that no agent or channel has is said so, with the nearest one', async () => {
  const notes = async (define: Define, ...args: string[]) => (await seen(define, args)).notes;
  expect(await notes(sessions, '--agent', 'cluade')).toEqual([
    'no session matches: there is no agent "cluade"; did you mean "claude"?',
  ]);
  expect(await notes(sessions, '--agent', 'claude-code')).toEqual([
    'no session matches: there is no agent "claude-code"; did you mean "claude"?',
  ]);
  expect(await notes(sessions, '--agent', 'droid')).toEqual(['no session matches']);
  writeFileSync(join(home, 'config.toml'), '[channels.audit]\ntype = "command"\nrun = ["true"]\n');
  expect(await notes(deliveries, '--channel', 'adit')).toEqual([
    'no delivery matches: there is no channel "adit"; did you mean "audit"?',
  ]);
  expect(await notes(deliveries, '--channel', 'audit')).toEqual(['no delivery matches']);
  // One that was removed.
  expect(await notes(deliveries, '--channel', 'team', '--since', '1s')).toEqual(['no delivery matches']);
  const kinds = (kind: string) => expect(seen(events, ['--kind', kind])).rejects;
  await kinds('agent.wait').toMatchObject({
    exit: 2,
    message: expect.stringMatching(/did you mean "agent\.waiting"\?$/),
  });
  await kinds('agent').toMatchObject({ exit: 2, message: expect.stringMatching(/; known: agent\.waiting, .*, test$/) });
  const input = join(home, 'input.json');
  writeFileSync(input, '{}');
  for (const [define, ...args] of [[explain] as const, [routes, 'test'] as const])
    await expect(seen(define, [...args, input, '--agent', 'nosuch'])).rejects.toMatchObject({
      exit: 2,
      message: expect.stringMatching(/^there is no agent "nosuch"; known: /),
    });
});
