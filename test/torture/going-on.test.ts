// Stopped sessions that are to go on at the reset, while at that moment a person types a prompt, their client goes on by itself, or the daemon is killed: no instruction comes twice, none after a prompt that Belfry knows, and no plan is lost.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { goOnTimerId } from '../../src/model/session/go-on-plan.ts';
import { newId } from '../../src/ipc/id.ts';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { pathKeyOf, type SessionKey, sessionKeyText } from '../../src/model/ids.ts';
import { HERE } from '../../src/model/session/whereabouts.ts';
import { openConnection } from '../../src/store/sqlite/engine/database.ts';
import { encode } from '../../src/store/encoding.ts';
import { openReader } from '../../src/store/open-reader.ts';
import type { StoreReader } from '../../src/store/contract.ts';
import { command } from '../support/answering.ts';
import { type StandIn, startAppServer } from '../support/app-server.ts';
import { pathsBelow, temporaryFolder } from '../support/home.ts';
import { belfry, type RunningDaemon, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { submitInput } from '../support/submit.ts';
import { spool, webhookTo, writeSettings } from '../support/thread.ts';
import { until } from '../support/wait.ts';
import { figures, seeded, size } from './size.ts';

const RACES = size(50, 8);
/** Homes that race beside each other. */
const LANES = 2;
const KINDS = ['killed as it is given', 'person', 'client', 'killed', 'killed and person'] as const;
/** Ms before or after the moment. */
const AROUND = 50;
/** Ms at most until a client shows an instruction as its prompt: a queue is looked at now and then. */
const SHOWN = 5_000;
/**
 * Belfry knows a prompt once its hook was acknowledged, or lies in the spool when the daemon starts. What is handed over meanwhile crosses
 * it: the acknowledgement and the instruction are on their way at the same time for so many ms, the turn of a busy machine's loop included.
 */
const CROSSING = 25;

/** What happened to one session. */
interface Course {
  readonly kind: (typeof KINDS)[number];
  readonly key: SessionKey;
  /** Ms until its client shows an instruction. */
  readonly shows: number;
  /** Unix ms at which its instructions came. */
  readonly given: number[];
  /** Unix ms since when its prompt is known; null: none came. */
  prompted: number | null;
  /** Unix ms at which the daemon was killed. */
  killed: number | null;
}

interface Lane {
  readonly home: string;
  readonly server: StandIn;
  readonly courses: Map<string, Course>;
  /** Prompts that clients are about to show. */
  readonly showing: Promise<unknown>[];
  daemon: RunningDaemon;
}

const at = (ms: number): Promise<void> => sleep(Math.max(0, ms - Date.now()), systemClock);
const iso = (ms: number): string => new Date(ms).toISOString();

/** As the hook hands it over: into the spool where no daemon takes it. Resolves with when it is known for certain, Unix ms. */
async function hand({ home }: Lane, agent: string, input: Record<string, unknown>): Promise<number> {
  if (await submitInput(pathsBelow(home).socket, newId(Date.now()), input, agent)) return Date.now();
  spool(home, input, Date.now(), { agent });
  return Date.now();
}

async function reading<T>({ home }: Lane, look: (store: StoreReader) => Promise<T>): Promise<T> {
  const store = await openReader(pathsBelow(home).database, 'all');
  try {
    return await look(store);
  } finally {
    await store.close();
  }
}

const transcriptOf = ({ home }: Lane, { agent, sessionId }: SessionKey): string =>
  agent === 'codex'
    ? join(home, '.codex', 'sessions', '2026', '11', '28', `rollout-${sessionId}.jsonl`)
    : join(home, '.claude', 'projects', '-src', `${sessionId}.jsonl`);

const prompt = (lane: Lane, key: SessionKey, text: string): Record<string, unknown> => ({
  session_id: key.sessionId,
  turn_id: `turn-${newId(Date.now())}`,
  transcript_path: transcriptOf(lane, key),
  cwd: '/src/shop',
  hook_event_name: 'UserPromptSubmit',
  prompt: text,
});

/** A turn that a limit stopped, which Codex says only in its rollout. `resetsAt`: Unix s. */
async function stopCodex(lane: Lane, key: SessionKey, minutes: number, resetsAt: number): Promise<void> {
  lane.server.loaded.add(key.sessionId);
  await hand(lane, 'codex', prompt(lane, key, 'Mend the cart'));
  const window = { used_percent: 100, window_minutes: minutes, resets_at: resetsAt };
  const error = { message: 'You’ve hit your usage limit.', codex_error_info: 'usage_limit_exceeded' };
  const payloads = [
    { type: 'token_count', rate_limits: { primary: window, secondary: null } },
    { type: 'task_complete', turn_id: key.sessionId, error },
  ];
  const path = transcriptOf(lane, key);
  mkdirSync(dirname(path), { recursive: true });
  for (const payload of payloads)
    appendFileSync(path, `${JSON.stringify({ timestamp: iso(Date.now()), type: 'event_msg', payload })}\n`);
}

/** One whose client says that it goes on by itself. */
async function stopClaude(lane: Lane, key: SessionKey, resetsAt: number): Promise<void> {
  await hand(lane, 'claude', prompt(lane, key, 'Mend the cart'));
  const lines = [
    {
      type: 'assistant',
      error: 'rate_limit',
      entrypoint: 'cli',
      version: '2.1.330',
      quotaLimits: { resetsAt, rateLimitType: 'five_hour' },
    },
    { type: 'system', content: 'Usage limit reached · set to continue automatically at 5:02pm' },
  ];
  const path = transcriptOf(lane, key);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${JSON.stringify({ ...line, timestamp: iso(Date.now()) })}\n`).join(''));
  await hand(lane, 'claude', {
    ...prompt(lane, key, ''),
    hook_event_name: 'StopFailure',
    error: 'rate_limit',
    last_assistant_message: "You've hit your 5-hour limit · resets 5:02pm (UTC)",
  });
}

/** What the daemon said last, and how it stands. */
async function explain({ home }: Lane): Promise<void> {
  const log = readFileSync(join(home, 'state', 'daemon.log'), 'utf8')
    .split('\n')
    .slice(-40)
    .join('\n');
  const events = (await belfry(home, ['events', '--all', '--limit', '30'])).stdout;
  process.stdout.write(`\n${log}\n${events}\n${(await belfry(home, ['continue', '--list'])).stdout}\n`);
}

/** Waits for it, and says how the daemon stands where it does not come. */
const expected = <T>(lane: Lane, look: () => Promise<T>, what: string) =>
  until(look, what, 60_000).catch(async (error: unknown) => {
    await explain(lane);
    throw error;
  });

const planOf = (lane: Lane, key: SessionKey) =>
  reading(lane, async (store) => (await store.timers([goOnTimerId(key)]))[0]);

/** Moves what is planned to this moment (Unix ms). Another session's plan, made again, has the daemon look at its timers. */
async function moveTo(lane: Lane, key: SessionKey, due: number): Promise<void> {
  const db = openConnection(pathsBelow(lane.home).database);
  db.run('UPDATE timers SET due = ? WHERE id = ?', due, encode(goOnTimerId(key)));
  db.close();
  const sessions = [pathKeyOf(sessionKeyText(OTHER))];
  const said = await command(lane.home, 'continue', { what: 'go-on', sessions, when: 'reset' });
  expect(said?.error).toBeUndefined();
}

/** Stopped until next week. */
const OTHER: SessionKey = { ...HERE, agent: 'codex', sessionId: 'other' };

async function openLane(): Promise<Lane> {
  const home = temporaryFolder();
  const receiver = await startReceiver();
  writeSettings(home, webhookTo(receiver.url, '\n[resume]\non = ["limit"]\n'));
  const programs = temporaryFolder();
  writeFileSync(join(programs, 'codex'), '#!/bin/sh\necho codex-cli 0.169.0\n', { mode: 0o700 });
  const env = { PATH: `${programs}:${process.env['PATH']}` };
  const installed = await belfry(home, ['install', 'codex', '--answer'], { env });
  expect([installed.code, installed.stderr]).toEqual([0, '']);
  const server = await startAppServer(join(home, '.codex'));
  server.limits = { ordinaryUsageAllowed: true, rateLimits: { primary: { usedPercent: 2 } } };
  const lane: Lane = { home, server, courses: new Map(), showing: [], daemon: await startDaemon(home) };
  server.hears = ({ method, params }) => {
    if (method !== 'thread/queue/add') return;
    const course = lane.courses.get(String((params as { threadId?: unknown }).threadId));
    if (course === undefined) return;
    course.given.push(Date.now());
    if (course.kind === 'killed as it is given' && course.given.length === 1) lane.daemon.process.kill('SIGKILL');
    const show = () => hand(lane, 'codex', prompt(lane, course.key, 'continue'));
    lane.showing.push(sleep(course.shows, systemClock).then(show));
  };
  await stopCodex(lane, OTHER, 10_080, Math.floor(Date.now() / 1_000) + 5 * 86_400);
  await expected(lane, () => planOf(lane, OTHER), 'a plan for next week');
  return lane;
}

/** One session is stopped, and the moment comes at which it is to go on. */
async function race(lane: Lane, kind: Course['kind'], number: number, random: () => number): Promise<void> {
  const agent = kind === 'client' && random() < 0.5 ? 'claude' : 'codex';
  const key: SessionKey = { ...HERE, agent, sessionId: `race-${number}` };
  // The next daemon is there before that.
  const shows = kind === 'killed as it is given' ? SHOWN : random() * SHOWN;
  const course: Course = { kind, key, shows, given: [], prompted: null, killed: null };
  lane.courses.set(key.sessionId, course);
  // Over since just now; one without seconds would be taken for the end of its minute.
  const now = Math.floor(Date.now() / 1_000);
  const resetsAt = now % 60 === 2 ? now - 3 : now - 2;
  if (agent === 'codex') await stopCodex(lane, key, 300, resetsAt);
  else await stopClaude(lane, key, resetsAt);
  await expected(lane, () => planOf(lane, key), `a plan of ${key.sessionId}`);
  const moment = Date.now() + 400;
  await moveTo(lane, key, moment);
  const offset = (): number => Math.round((2 * random() - 1) * AROUND);
  const [promptAt, killAt] = [moment + offset(), moment + offset()];
  const prompting = async (): Promise<void> => {
    await at(promptAt);
    const text = kind === 'client' ? 'Your usage limit has reset. Continue the task.' : 'No, mend the till first';
    course.prompted = await hand(lane, agent, prompt(lane, key, text));
  };
  const killing = async (): Promise<void> => {
    if (kind === 'killed as it is given')
      await expected(lane, async () => course.given.length > 0, `an instruction for ${key.sessionId}`);
    else await at(killAt);
    await lane.daemon.stop('SIGKILL');
    course.killed = Date.now();
    lane.daemon = await startDaemon(lane.home);
  };
  await Promise.all([
    ...(kind === 'person' || kind === 'client' || kind === 'killed and person' ? [prompting()] : []),
    ...(kind === 'person' || kind === 'client' ? [] : [killing()]),
  ]);
  // Every plan comes to an end, with a prompt or with what the journal says of it.
  await expected(lane, async () => (await planOf(lane, key)) === undefined, `the end of the plan of ${key.sessionId}`);
}

interface Ending {
  readonly course: Course;
  /** Unix ms of what says that it did not go on. */
  readonly held: readonly number[];
  /** Whether that says that nothing takes its instruction, though something does. */
  readonly isDenied: boolean;
  readonly isPrompted: boolean;
}

const endOf = (lane: Lane, course: Course): Promise<Ending> =>
  reading(lane, async (store) => {
    const events = await store.events({ session: course.key.sessionId, limit: 100 });
    const said = events.flatMap(({ event }) => (event.detail === 'held' ? [event] : []));
    const record = await store.session(course.key);
    return {
      course,
      held: said.map((event) => event.at),
      isDenied: said.some(({ message }) => message?.includes('nothing takes')),
      isPrompted: record?.state !== 'failed',
    };
  });

test(`${RACES} races at the reset: a person, the client, a kill`, async () => {
  const random = seeded(31);
  const lanes = await Promise.all(Array.from({ length: LANES }, openLane));
  let next = 0;
  await Promise.all(
    lanes.map(async (lane) => {
      while (next < RACES) {
        const number = next++;
        await race(lane, KINDS[number % KINDS.length] ?? 'person', number, random);
      }
    }),
  );
  await Promise.all(lanes.flatMap(({ showing }) => showing));
  // What is given comes within seconds; what is said of it, ten seconds later.
  const ends: Ending[] = [];
  for (const lane of lanes)
    for (const course of lane.courses.values())
      ends.push(
        await until(
          async () => {
            const end = await endOf(lane, course);
            return course.given.length + end.held.length > 0 || end.isPrompted ? end : null;
          },
          `what became of ${course.key.sessionId}`,
          30_000,
        ).catch(() => endOf(lane, course)),
      );
  const names = (found: readonly Ending[]): string[] =>
    found.map(({ course }) => `${course.key.sessionId} ${course.kind}`);
  const known = ({ prompted }: Course): number => (prompted ?? Infinity) + CROSSING;
  const twice = ends.filter(({ course }) => course.given.length > 1);
  const late = ends.filter(({ course }) => course.given.some((given) => given > known(course)));
  const falsely = ends.filter(({ course, held, isDenied }) => isDenied || held.some((said) => said > known(course)));
  const lost = ends.filter(({ course, held, isPrompted }) => course.given.length + held.length === 0 && !isPrompted);
  const killed = ends.filter(({ course }) => course.killed !== null);
  figures('going on', {
    races: RACES,
    instructions: ends.filter(({ course }) => course.given.length > 0).length,
    'after a prompt': late.length,
    'given twice': twice.length,
    kills: killed.length,
    'given after the restart': killed.filter(({ course }) => course.given.some((given) => given > (course.killed ?? 0)))
      .length,
    'killed while it was given, and said so': ends.filter(({ held }) => held.length > 0).length,
    'said falsely': falsely.length,
    'plans lost': lost.length,
  });
  expect(names(late)).toEqual([]);
  expect(names(twice)).toEqual([]);
  expect(names(falsely)).toEqual([]);
  expect(names(lost)).toEqual([]);
  for (const lane of lanes) await lane.daemon.stop();
});
