// Machines elsewhere whose link is cut in every way while their agents report and ask: nothing is lost, comes twice or out of order, and
// no answer reaches another hook than the one that was asked.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import type { Question } from '../../src/model/question/question.ts';
import { command, openQuestion, questionsIn } from '../support/answering.ts';
import {
  clientPrograms,
  type FarAsking,
  type FarMachine,
  farFolder,
  farMachine,
  untilState,
} from '../support/far-machine.ts';
import { withoutBash } from '../support/far-shells.ts';
import { seenOf } from '../../src/model/question/seen.ts';
import type { RunningDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { webhookTo } from '../support/thread.ts';
import { until } from '../support/wait.ts';
import { figures, seeded, short, size } from './size.ts';

/** The relay there runs in bash where there is one. */
const LANES = [
  { shell: 'bash', path: () => process.env['PATH'] ?? '' },
  { shell: 'dash', path: () => withoutBash('dash') },
  { shell: 'busybox sh', path: () => withoutBash('busybox') },
] as const;
const CUTS = size(67, 6);
const SESSIONS = Array.from({ length: 4 }, (_one, i) => `s${i}`);
const EACH = size(420, 30);
/** Hooks that ask at once. */
const ASKERS = 2;

/** Silent ones take half a minute to be noticed. */
const WAYS = [
  'reset',
  'relay killed',
  'reset',
  'frozen',
  'daemon killed',
  'reset',
  'mute there',
  'relay killed',
  'mute here',
] as const;
type Way = (typeof WAYS)[number];

const reports = (session: string, number: number) => ({
  session_id: session,
  hook_event_name: 'Notification',
  notification_type: 'permission_prompt',
  message: `message ${number}`,
  cwd: '/srv/api',
});
const asks = (session: string) => ({
  session_id: session,
  hook_event_name: 'PermissionRequest',
  tool_name: 'Bash',
  tool_input: { command: `touch ${session}` },
  cwd: '/srv/api',
});

/** One question there, and what was said to it. */
interface Asked {
  readonly session: string;
  readonly hook: FarAsking;
  /** `belfry answer` said that the hook has it. */
  wasTaken: boolean;
}

class Lane {
  readonly asked: Asked[] = [];
  readonly cuts = new Map<Way, number>();
  readonly #far: FarMachine;
  readonly #random: () => number;
  #daemon: RunningDaemon;
  /** Reports and cuts are over. */
  isOver = false;

  constructor(far: FarMachine, daemon: RunningDaemon, random: () => number) {
    this.#far = far;
    this.#daemon = daemon;
    this.#random = random;
  }

  pause(most: number): Promise<void> {
    return sleep(this.#random() * most, systemClock);
  }

  async report(session: string): Promise<void> {
    for (let i = 0; i < EACH; i++) {
      const { code, stdout } = await this.#far.hook('Notification', reports(session, i));
      expect([code, stdout]).toEqual([0, '']);
      await this.pause(size(400, 300));
    }
  }

  /** Asks one after the other for as long as the link is cut. */
  async ask(asker: number): Promise<void> {
    for (let i = 0; !this.isOver; i++) {
      const session = `q${asker}-${i}`;
      const one: Asked = { session, hook: this.#far.asks('PermissionRequest', asks(session)), wasTaken: false };
      this.asked.push(one);
      await this.#answer(one);
      await this.pause(1_000);
    }
  }

  /**
   * Answers until the hook has it, or leaves. One that asks again is asked anew: an answer that went into a link which was silent did not
   * reach it.
   */
  async #answer(one: Asked): Promise<void> {
    const { session, hook } = one;
    const open = async (): Promise<Question | undefined> =>
      (await questionsIn(this.#far.own)).find((q) => q.state === 'open' && q.sessionKey.endsWith(`/${session}`));
    while (!hook.isOver() && !one.wasTaken) {
      const question = await until(async () => (hook.isOver() ? 'left' : open()), `a question of ${session}`, 240_000);
      if (question === 'left') return;
      await this.pause(1_500);
      const { code } = await this.#far.belfry('answer', question.id, 'deny', '--message', `for ${session}`);
      one.wasTaken = code === 0;
    }
  }

  async cut(): Promise<void> {
    for (let i = 0; i < CUTS; i++) {
      await untilState(this.#far, 'connected');
      await this.pause(1_500);
      const way = WAYS[i % WAYS.length] ?? 'reset';
      this.cuts.set(way, (this.cuts.get(way) ?? 0) + 1);
      const connections = this.#far.proxy.connections();
      await this.#break(way);
      await until(() => this.#far.proxy.connections() > connections, `the link to be made again (${way})`, 240_000);
    }
    await untilState(this.#far, 'connected');
    this.isOver = true;
  }

  async #break(way: Way): Promise<void> {
    const { proxy } = this.#far;
    if (way === 'reset') proxy.cut();
    else if (way === 'frozen') proxy.freeze();
    else if (way === 'mute there') proxy.freeze('there');
    else if (way === 'mute here') proxy.freeze('back');
    else if (way === 'relay killed')
      process.kill(Number(readFileSync(join(farFolder(this.#far), 'run/relay'), 'utf8').split(' ')[0]), 'SIGKILL');
    else {
      await this.#daemon.stop('SIGKILL');
      this.#daemon = await this.#far.daemon();
    }
  }
}

const middle = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
const high = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;

test.each([0, 80])('how long an event and an answer take at a round trip of %i ms', async (roundTrip) => {
  const receiver = await startReceiver();
  const far = await farMachine({ path: `${clientPrograms()}:${process.env['PATH'] ?? ''}` });
  if (far === null) return console.log('sshd is needed (openssh-server)');
  far.proxy.slow(roundTrip);
  writeFileSync(join(far.own, 'config.toml'), webhookTo(receiver.url), { mode: 0o600 });
  await far.daemon();
  const added = await far.belfry('remote', 'add', 'box', '--yes', '--answer', '--agent', 'claude');
  expect(added.code, added.stderr).toBe(0);
  const [events, answers]: [number[], number[]] = [[], []];
  for (let i = 0; i < size(200, 20); i++) {
    const before = receiver.requests.length;
    await far.hook('Notification', reports(`e${i}`, i));
    const ended = Date.now();
    const request = await until(() => receiver.requests[before], 'the event');
    events.push(request.at - ended);
  }
  for (let i = 0; i < size(100, 10); i++) {
    const hook = far.asks('PermissionRequest', asks(`a${i}`));
    const question = await openQuestion(far.own, `a${i}`);
    await sleep(50); // it has heard that it is to wait
    const from = performance.now();
    const said = await command(far.own, 'answer', {
      id: question.id,
      seen: seenOf(question),
      answer: { type: 'deny', message: null },
    });
    expect(said?.error).toBeUndefined();
    await hook.over();
    answers.push((hook.endedAt() ?? Number.NaN) - from);
  }
  figures(`remotes at ${roundTrip} ms`, {
    'hook to receiver p50, ms': middle(events),
    p95: high(events),
    'answer to its hook p50, ms': middle(answers),
    'p95 ': high(answers),
  });
});

test.each(short ? LANES.filter(({ shell }) => shell !== 'dash') : LANES)(
  `a relay in $shell: ${CUTS} cuts over ${SESSIONS.length * EACH} events, answers under way`,
  async ({ shell, path }) => {
    const far = await farMachine({ shell: 'sh', path: `${clientPrograms()}:${path()}` });
    if (far === null) return console.log('sshd is needed (openssh-server)');
    const daemon = await far.daemon();
    const added = await far.belfry('remote', 'add', 'box', '--yes', '--answer', '--agent', 'claude');
    expect(added.code, added.stderr).toBe(0);
    const { stdout: checked } = await far.belfry('remote', 'check', 'box');
    expect(checked).toContain('Claude: can be answered from here');
    const { stdout: listed } = await far.belfry('remote', 'list', '--json');
    expect(listed).toContain(`"shell":"${shell === 'bash' ? 'bash' : 'sh'}"`);
    const lane = new Lane(far, daemon, seeded(35));
    const began = Date.now();
    await Promise.all([
      lane.cut(),
      ...SESSIONS.map((session) => lane.report(session)),
      ...Array.from({ length: ASKERS }, (_one, i) => lane.ask(i)),
    ]);
    const found = await Promise.all(
      SESSIONS.map((session) =>
        until(async () => {
          const all = await far.events(session);
          return all.length >= EACH && all.map(({ message }) => message);
        }, `all events of ${session}`),
      ),
    );
    const expected = Array.from({ length: EACH }, (_one, i) => `message ${i}`);
    for (const messages of found) expect(messages).toEqual(expected);
    let printed = 0;
    for (const { session, hook, wasTaken } of lane.asked) {
      const { code, stdout, stderr } = await hook.over();
      expect([session, code, stderr]).toEqual([session, 0, '']);
      if (stdout !== '') expect(stdout).toContain(`"message":"for ${session}"`);
      if (wasTaken) expect([session, stdout]).not.toEqual([session, '']);
      if (stdout !== '') printed++;
    }
    expect(printed).toBeGreaterThan(0);
    const folder = farFolder(far);
    for (const name of ['spool', 'asks', 'answers'])
      await until(() => readdirSync(join(folder, name)).length === 0, `${name} to be empty`);
    expect(existsSync(join(folder, 'run/alive'))).toBe(true);
    figures(`remotes, ${shell}`, {
      ...Object.fromEntries(lane.cuts),
      connections: far.proxy.connections(),
      events: found.flat().length,
      asked: lane.asked.length,
      'answered from here': printed,
      seconds: (Date.now() - began) / 1_000,
    });
  },
);
