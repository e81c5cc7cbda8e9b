// The limits of accounts, from hooks and transcripts to notices: one for all sessions, one when it is over; real store, pipeline and files, virtual time.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { agentByName } from '../../../src/agents/index.ts';
import { type AccountLimits, createAccountLimits } from '../../../src/daemon/sessions/account-limits.ts';
import { createTurnEvidence } from '../../../src/daemon/sessions/turn-evidence.ts';
import { limitOf } from '../../../src/model/agent/limits.ts';
import { decidingOf } from '../../support/deciding.ts';
import { realFiles } from '../../support/files.ts';
import { temporaryFolder } from '../../support/home.ts';
import { type PipelineHarness, pipelineHarness } from '../../support/pipeline-harness.ts';
import { timersDue } from '../../support/timers.ts';

const CONFIG = `
[channels.phone]
type = "ntfy"
topic = "t"
[channels.record]
type = "webhook"
url = "http://127.0.0.1:9/"
allow_private = true
[[routes]]
to = ["phone", "record"]
`;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Bench extends PipelineHarness {
  readonly limits: AccountLimits;
  /** Below the home. */
  readonly file: (name: string) => string;
  /** Titles that people were sent, oldest first. */
  readonly said: () => Promise<readonly string[]>;
  /** Titles of those about limits that are still open. */
  readonly open: () => Promise<readonly string[]>;
  /** Time passes, and what is due happens. */
  readonly pass: (ms: number) => Promise<void>;
  readonly settled: () => Promise<void>;
}

/** What follows the limits of a harness. */
function limitsOf(harness: PipelineHarness): AccountLimits {
  const { store, clock } = harness;
  return createAccountLimits({
    store,
    deciding: decidingOf(store, clock.now, () => harness.config),
    agents: agentByName,
    low: () => harness.config.limits.low,
    goesOn: () => harness.config.resume.on.includes('limit'),
    raise: (event, occurrence) => harness.ingest.acceptEvent({ event, source: 'belfry', occurrence }),
    wake: () => undefined,
    log: (message, fields) => {
      throw new Error(`${message} ${JSON.stringify(fields)}`);
    },
  });
}

async function bench(toml = CONFIG): Promise<Bench> {
  const home = temporaryFolder();
  const evidence: { judge?: ReturnType<typeof createTurnEvidence>['judge'] } = {};
  const harness = await pipelineHarness(toml, {
    judge: (incoming) => (evidence.judge ?? (async () => ({ incoming })))(incoming),
  });
  const { store, clock } = harness;
  const limits = limitsOf(harness);
  harness.writer.onDecided(limits.decided);
  const { used } = limits;
  const deps = {
    store,
    clock,
    agents: agentByName,
    home,
    files: realFiles(),
    temporary: home,
    used,
  };
  evidence.judge = createTurnEvidence(deps).judge;
  onTestFinished(() => limits.stop());
  /** Time passes meanwhile: a transcript is looked at again and again. */
  const settled = async (): Promise<void> => {
    const work = async (): Promise<true> => {
      for (let i = 0; i < 3; i++) {
        await harness.settle();
        await limits.stop();
      }
      return true;
    };
    const state = { done: false };
    const all = work().then(() => (state.done = true));
    while (!state.done) await clock.advance(50);
    await all;
  };
  return Object.assign(harness, {
    limits,
    settled,
    file: (name: string) => {
      const path = join(home, name);
      mkdirSync(dirname(path), { recursive: true });
      return path;
    },
    said: async () =>
      (await harness.notified()).flatMap(({ channel, operation, content }) =>
        channel === 'phone' && operation === 'send' ? [`${content.title} [${content.urgency}]`] : [],
      ),
    open: async () =>
      (await store.notifications({ states: ['open'], limit: 100 })).flatMap(({ kind, title }) =>
        kind.startsWith('limit.') ? [title] : [],
      ),
    pass: async (ms: number) => {
      await clock.advance(ms);
      const due = await timersDue(store, clock.now());
      for (const timer of due) if (timer.kind === 'limit') await limits.check(timer);
      await settled();
    },
  });
}

const claude = (event: string, session: string, more: Record<string, unknown> = {}) => ({
  session_id: session,
  hook_event_name: event,
  cwd: `/home/dev/${session}`,
  ...more,
});
const prompt = (session: string) => claude('UserPromptSubmit', session, { prompt: 'Go on' });
const stopped = (session: string, text: string, more: Record<string, unknown> = {}) =>
  claude('StopFailure', session, { error: 'rate_limit', last_assistant_message: text, ...more });
// The virtual clock begins at 12:00 UTC.
const FIVE_HOURS = "You've hit your session limit · resets 2:30pm (UTC)";

async function feed(at: Bench, ...inputs: readonly Record<string, unknown>[]): Promise<void> {
  for (const input of inputs) await at.feed(input, { agent: 'claude' });
  await at.settled();
}

const titleOf = (title: string): string => title.replaceAll(/\b\d\d:\d\d\b/g, 'TIME');

test('one notice for all sessions of an account, and one when it is over', async () => {
  const at = await bench();
  await feed(at, prompt('payments'), prompt('shop'), prompt('docs'));
  await feed(at, stopped('payments', FIVE_HOURS), stopped('shop', FIVE_HOURS), stopped('docs', FIVE_HOURS));
  expect((await at.said()).map(titleOf)).toEqual(["Claude's 5-hour limit is reached, until TIME [urgent]"]);
  // Records have each session.
  const records = (await at.notified()).filter(({ channel }) => channel === 'record');
  expect(records.map(({ content }) => content.event.kind).sort()).toEqual([
    'limit.reached',
    'session.failed',
    'session.failed',
    'session.failed',
  ]);
  const sessions = await at.store.sessions({});
  expect(sessions.map((record) => limitOf(record)?.resetsAt)).toEqual(Array(3).fill(Date.UTC(2026, 5, 1, 14, 30)));
  await at.pass(2.4 * HOUR);
  expect(await at.said()).toHaveLength(1);
  await at.pass(7 * MINUTE);
  expect((await at.said()).slice(1)).toEqual(["Claude's 5-hour limit is over: 3 sessions can go on [normal]"]);
  expect(await at.open()).toEqual(["Claude's 5-hour limit is over: 3 sessions can go on"]);
  expect(await timersDue(at.store)).toEqual([]);
  await feed(at, prompt('payments'), prompt('shop'));
  expect(await at.open()).toHaveLength(1);
  await feed(at, prompt('docs'));
  expect(await at.open()).toEqual([]);
});

test('what comes of a stopped session besides is not sent: that it is idle, that it is closed', async () => {
  const at = await bench();
  await feed(at, prompt('payments'));
  await feed(at, stopped('payments', FIVE_HOURS));
  await feed(at, claude('Notification', 'payments', { notification_type: 'idle_prompt', message: 'It waits' }));
  await feed(at, claude('SessionEnd', 'payments', { reason: 'other' }));
  const urgencies = (await at.said()).map((one) => /\[(\w+)\]/.exec(one)?.[1]);
  expect(urgencies).toEqual(['urgent', 'low', 'low']);
  // Nobody is left to go on.
  await at.pass(3 * HOUR);
  expect(await at.said()).toHaveLength(3);
  expect(await at.open()).not.toContainEqual(expect.stringContaining('limit'));
});

test('two accounts are two notices: another agent, another window, another user', async () => {
  const at = await bench();
  await feed(at, stopped('a', FIVE_HOURS), stopped('b', "You've hit your weekly limit · resets Jun 3, 4pm (UTC)"));
  await feed(
    at,
    claude('StopFailure', 'c', { error: 'billing_error', last_assistant_message: 'Credit balance is too low' }),
  );
  const kinds = (await at.said()).map((one) => one.replace(/ is reached.*|(?<=credit).*/, ''));
  expect(kinds.sort()).toEqual(['Claude is out of credit', "Claude's 5-hour limit", "Claude's weekly limit"]);
});

test('a limit of requests a minute is a failure like any other', async () => {
  const at = await bench();
  await feed(at, prompt('payments'));
  await feed(at, stopped('payments', 'API Error: 429 too many requests a minute'));
  expect(await at.said()).toEqual(['payments: Claude stopped: rate limit [urgent]']);
  expect(await timersDue(at.store)).toEqual([]);
});

test('a session that goes on early takes it back, and says that the others can go on', async () => {
  const at = await bench();
  await feed(at, prompt('payments'), prompt('shop'), prompt('docs'));
  await feed(at, stopped('payments', FIVE_HOURS), stopped('shop', FIVE_HOURS));
  await at.pass(MINUTE);
  // Its turn had begun before: that shows nothing.
  await feed(at, claude('Stop', 'docs'));
  expect(await at.open()).toContainEqual(expect.stringContaining('is reached'));
  await at.pass(MINUTE);
  await feed(at, prompt('payments'));
  expect(await at.open()).toContainEqual(expect.stringContaining('is reached'));
  await at.pass(MINUTE);
  await feed(at, claude('Stop', 'payments'));
  expect((await at.said()).at(-1)).toBe(
    'Claude answers again, before its 5-hour limit resets: 1 session can go on [normal]',
  );
  expect(await at.open()).not.toContainEqual(expect.stringContaining('is reached'));
  expect(await timersDue(at.store)).toEqual([]);
});

test('reached again right after its reset: told once more', async () => {
  const at = await bench();
  await feed(at, prompt('payments'), prompt('shop'));
  await feed(at, stopped('payments', FIVE_HOURS), stopped('shop', FIVE_HOURS));
  await at.pass(3 * HOUR);
  await feed(at, prompt('payments'));
  await feed(at, stopped('payments', "You've hit your session limit · resets 8pm (UTC)"));
  const said = (await at.said()).map(titleOf);
  expect(said.filter((one) => one.includes('is reached'))).toHaveLength(2);
  expect((await at.open()).map(titleOf)).toEqual(["Claude's 5-hour limit is reached, until TIME"]);
});

test('no time is promised that nothing says; it is told all the same', async () => {
  const at = await bench();
  await feed(at, prompt('payments'));
  await feed(
    at,
    claude('StopFailure', 'payments', { error: 'billing_error', last_assistant_message: 'Credit balance is too low' }),
  );
  const [sent] = await at.notified();
  expect(sent?.content.body ?? '').toContain('Credit balance is too low');
  expect((await at.said())[0]).toBe('Claude is out of credit [urgent]');
  await at.pass(9 * 24 * HOUR);
  expect(await at.said()).toHaveLength(1);
  expect(await at.open()).not.toContainEqual(expect.stringContaining('credit'));
});

const ERROR = {
  type: 'assistant',
  error: 'rate_limit',
  entrypoint: 'cli',
  version: '2.1.330',
  quotaLimits: { resetsAt: Date.UTC(2026, 5, 1, 14, 2, 57) / 1_000, rateLimitType: 'five_hour' },
};
const PENDING = { type: 'system', content: 'Usage limit reached · set to continue automatically at 2:02pm' };
const line = (record: object, at: number): string =>
  `${JSON.stringify({ ...record, timestamp: new Date(at).toISOString() })}\n`;

test('Claude 2.1.330 goes on by itself: its transcript says so soon after the hook, and to the second', async () => {
  const at = await bench();
  const transcript = at.file('.claude/projects/-src/s.jsonl');
  await feed(at, prompt('payments'));
  writeFileSync(transcript, line({ type: 'user' }, at.clock.now()));
  await at.feed(
    stopped('payments', "You've hit your 5-hour limit · resets 2:02pm (UTC)", { transcript_path: transcript }),
    {
      agent: 'claude',
    },
  );
  await at.clock.advance(50);
  expect(await at.said()).toEqual([]);
  appendFileSync(transcript, line(ERROR, at.clock.now()) + line(PENDING, at.clock.now()));
  await at.clock.advance(500);
  await at.settled();
  expect((await at.said()).map(titleOf)).toEqual(["Claude's 5-hour limit is reached, until TIME [normal]"]);
  const [record] = await at.store.sessions({});
  expect(record && limitOf(record)).toEqual({
    name: 'five-hour',
    resetsAt: Date.UTC(2026, 5, 1, 14, 2, 57),
    resumes: true,
  });
  await at.pass(3 * HOUR);
  expect((await at.said()).at(-1)).toBe("Claude's 5-hour limit is over: 1 session goes on [low]");
});

test('a transcript that never says it, is huge, or is not there: a second later the words count', async () => {
  for (const content of [null, line({ type: 'user', text: 'x'.repeat(3_000_000) }, 0), '{"half":']) {
    const at = await bench();
    const transcript = at.file('.claude/projects/-src/s.jsonl');
    if (content !== null) writeFileSync(transcript, content);
    await feed(at, prompt('payments'));
    await feed(at, stopped('payments', FIVE_HOURS, { transcript_path: transcript }));
    const [record] = await at.store.sessions({});
    expect(record && limitOf(record)).toMatchObject({ name: 'five-hour', resumes: false });
    expect(await at.said()).toHaveLength(1);
  }
});

test('a route that names failures, and no limits, hears of a limit: it is told instead of them', async () => {
  const at = await bench(CONFIG.replace('to = ["phone"', 'match = { kind = ["session.failed"] }\nto = ["phone"'));
  await feed(at, prompt('payments'));
  await feed(at, stopped('payments', FIVE_HOURS));
  expect(await at.said()).toHaveLength(1);
  await at.pass(3 * HOUR);
  expect(await at.said()).toHaveLength(2);
});

const codexCount = (used: number, resetsAt: number) => ({
  type: 'event_msg',
  payload: {
    type: 'token_count',
    rate_limits: { primary: { used_percent: used, window_minutes: 300, resets_at: resetsAt / 1_000 }, secondary: null },
  },
});

test('what is used is told once a window, from the share of the settings on', async () => {
  const at = await bench();
  const transcript = at.file('.codex/sessions/2026/06/01/rollout-1.jsonl');
  const resets = at.clock.now() + HOUR;
  const turn = async (used: number, wobble = 0): Promise<void> => {
    writeFileSync(transcript, line(codexCount(used, resets + wobble), at.clock.now()));
    await at.feed(
      {
        session_id: 's',
        turn_id: `t${at.clock.now()}`,
        hook_event_name: 'Stop',
        cwd: '/home/dev/shop',
        transcript_path: transcript,
      },
      { agent: 'codex' },
    );
    await at.settled();
    await at.clock.advance(30_000);
  };
  const low = async () => (await at.said()).filter((one) => one.includes('used'));
  await turn(89);
  expect(await low()).toEqual([]);
  await turn(91.4);
  await turn(95, 2_000);
  expect(await low()).toEqual(["Codex's 5-hour limit: 91% used [normal]"]);
  at.config = { ...at.config, limits: { low: 100 } };
  await at.pass(2 * HOUR);
  expect(await at.open()).not.toContainEqual(expect.stringContaining('used'));
  await turn(99, 5 * HOUR);
  expect(await low()).toHaveLength(1);
  at.config = { ...at.config, limits: { low: 80 } };
  await turn(79.9, 5 * HOUR);
  expect(await low()).toHaveLength(1);
  await turn(80, 5 * HOUR);
  await turn(91, 5 * HOUR);
  expect((await low()).slice(1)).toEqual(["Codex's 5-hour limit: 80% used [normal]"]);
});

test('a daemon that is killed before it has reported it reports it at its start, once', async () => {
  const limit = { name: 'five-hour', resetsAt: Date.UTC(2026, 5, 1, 14, 30), resumes: false };
  const harness = await pipelineHarness(CONFIG, {
    judge: async (incoming) => ({
      incoming: incoming.type === 'hook' ? { ...incoming, parsed: { ...incoming.parsed, limit } } : incoming,
    }),
  });
  for (const session of ['payments', 'shop']) await harness.feed(stopped(session, FIVE_HOURS), { agent: 'claude' });
  await harness.settle();
  const reports = async () => (await harness.store.events({ kinds: ['limit.reached'], limit: 10 })).length;
  expect(await reports()).toBe(0);
  for (let start = 0; start < 3; start++) {
    const limits = limitsOf(harness);
    await limits.start();
    await harness.settle();
    expect(await reports()).toBe(1);
  }
  // And one that knows it from its start lets it end.
  const limits = limitsOf(harness);
  await limits.start();
  await harness.clock.advance(3 * HOUR);
  for (const timer of await timersDue(harness.store, harness.clock.now())) await limits.check(timer);
  await harness.settle();
  expect(await harness.store.events({ kinds: ['limit.reset'], limit: 10 })).toHaveLength(1);
});
