// Stopped sessions that go on: the real store, pipeline, limits and engine on a virtual clock; only who hands the instruction over is a stand-in.
import { onTestFinished } from 'vitest';
import { agentByName } from '../../src/agents/index.ts';
import { createGoOnButtons, type GoOnButtons } from '../../src/daemon/channels/go-on-buttons.ts';
import { createAccountLimits } from '../../src/daemon/sessions/account-limits.ts';
import { createGoingOn, type GoingOn } from '../../src/daemon/sessions/going-on.ts';
import { createTurnEvidence } from '../../src/daemon/sessions/turn-evidence.ts';
import { nextTurn } from '../../src/lib/clock.ts';
import { EXIT, UserError } from '../../src/model/errors.ts';
import { notificationIdOf, sessionKeyText } from '../../src/model/ids.ts';
import { HERE } from '../../src/model/session/whereabouts.ts';
import { decidingOf } from './deciding.ts';
import { realFiles } from './files.ts';
import { temporaryFolder } from './home.ts';
import { type PipelineHarness, pipelineHarness } from './pipeline-harness.ts';
import { nextTimer, timersDue } from './timers.ts';

const CONFIG = (resume: string): string => `
[channels.phone]
type = "ntfy"
topic = "t"
[[routes]]
to = ["phone"]
${resume}
`;
export const MINUTE = 60_000;
const ON = '[resume]\non = ["limit", "overloaded", "network"]\n';

export interface Bench extends PipelineHarness {
  readonly goingOn: GoingOn;
  /** Sessions that were handed an instruction, in that order. */
  readonly given: string[];
  readonly buttons: GoOnButtons;
  /** Notifications whose messages offer something else since. */
  readonly offered: readonly string[];
  /** What a client does with an instruction: it shows it as its prompt, unless a test says otherwise. */
  client: (session: string) => Promise<void>;
  /** What happens while an account is asked for room. */
  asking: () => Promise<void>;
  /** Why nothing takes an instruction; null: something does. */
  refusal: string | null;
  /** What comes is decided once this resolves. */
  deciding: Promise<void>;
  /** The same engine anew, as after a restart. */
  readonly restart: () => Promise<GoingOn>;
  /** Time passes from one timer to the next, and what is due happens. */
  readonly pass: (ms: number) => Promise<void>;
  readonly settled: () => Promise<void>;
}

/** `random`: 0 to 1, for each pause. */
export async function bench(resume = ON, random = (): number => 0.5): Promise<Bench> {
  const evidence: { judge?: ReturnType<typeof createTurnEvidence>['judge'] } = {};
  const harness = await pipelineHarness(CONFIG(resume), {
    judge: async (incoming) => {
      await at.deciding;
      return (evidence.judge ?? (async () => ({ incoming })))(incoming);
    },
  });
  const { store, clock } = harness;
  const raise = (event: Parameters<typeof harness.ingest.acceptEvent>[0]['event'], occurrence: string) =>
    harness.ingest.acceptEvent({ event, source: 'belfry', occurrence });
  const log = (): void => undefined;
  const limits = createAccountLimits({
    store,
    deciding: decidingOf(store, clock.now, () => harness.config),
    agents: agentByName,
    low: () => 100,
    goesOn: () => harness.config.resume.on.includes('limit'),
    raise,
    wake: () => undefined,
    log,
  });
  harness.writer.onDecided(limits.decided);
  const home = temporaryFolder();
  const { used } = limits;
  const reading = { store, clock, agents: agentByName, home, files: realFiles(), temporary: home, used };
  evidence.judge = createTurnEvidence(reading).judge;
  const given: string[] = [];
  const acting: Promise<void>[] = [];
  let engine: GoingOn;
  const answering = {
    stopped: async (record: { agent: string; sessionId: string }, failed: { id: string }): Promise<void> => {
      const { agent, sessionId } = record;
      const subject = { agent, sessionId, cwd: null, subagent: null, tool: null, text: '', choices: [], partial: null };
      await store.putQuestion({
        id: `qst_${sessionId}_${failed.id}`,
        notificationId: notificationIdOf(failed.id),
        sessionKey: sessionKeyText({ ...HERE, agent, sessionId }),
        kind: 'text',
        subject,
        inputHash: failed.id,
        nonce: 'n',
        deadline: clock.now() + 8 * 24 * 60 * MINUTE,
      });
    },
    answer: async ({ id, answer }: { id: string; answer: object }): Promise<void> => {
      if (at.refusal !== null) throw new UserError(at.refusal, EXIT.refused);
      const question = await store.question(id);
      if (question?.state !== 'open') throw new UserError('nobody waits for it any more', EXIT.refused);
      const { nonce, inputHash } = question;
      await store.answerQuestion({ id, nonce, inputHash, answer, by: 'Belfry', now: clock.now() });
      await store.settleAnswer({ id, nonce, by: 'Belfry', why: null });
      const session = decodeURIComponent(question.sessionKey.split('/')[3] ?? '');
      given.push(session);
      // The client shows it once it has it.
      acting.push(new Promise((resolve) => setTimeout(resolve, 1)).then(() => at.client(session)));
    },
    // Where a client can be asked it takes a moment.
    room: async () => {
      await at.asking();
      return 'not asked' as const;
    },
  };
  const buttons = createGoOnButtons({ store, now: clock.now });
  const offered: string[] = [];
  const make = (): GoingOn =>
    createGoingOn({
      store,
      clock,
      random,
      isBehind: (session) => store.isBehind(session, { since: 0, unread: false }, clock.now()),
      settings: () => harness.config.resume,
      answering,
      raise,
      changed: async (stopped) => {
        offered.push(...(await buttons.changedBy(stopped)));
      },
      wake: () => undefined,
      log,
    });
  engine = make();
  harness.writer.onDecided((decision) => engine.decided(decision));
  buttons.handTo({
    stopped: () => engine.stopped(),
    goOn: (...args) => engine.goOn(...args),
    hold: (...args) => engine.hold(...args),
  });
  onTestFinished(() => limits.stop());
  const settled = async (): Promise<void> => {
    for (let i = 0; i < 4; i++) {
      await Promise.all(acting);
      await harness.settle();
      await limits.stop();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const at: Bench = Object.assign(harness, {
    goingOn: {
      start: () => engine.start(),
      decided: () => undefined,
      stopped: () => engine.stopped(),
      goOn: (...args: Parameters<GoingOn['goOn']>) => engine.goOn(...args),
      hold: (...args: Parameters<GoingOn['hold']>) => engine.hold(...args),
      check: (...args: Parameters<GoingOn['check']>) => engine.check(...args),
      stop: () => engine.stop(),
    },
    given,
    buttons,
    offered,
    asking: () => nextTurn(),
    refusal: null,
    deciding: Promise.resolve(),
    client: async (session: string): Promise<void> => {
      await harness.feed(prompt(session), { agent: 'claude' });
    },
    restart: async () => {
      engine = make();
      await engine.start();
      return engine;
    },
    pass: async (ms: number) => {
      const end = clock.now() + ms;
      while (clock.now() < end) {
        const next = Math.max(clock.now() + 1, (await nextTimer(store)) ?? end);
        await clock.advance(Math.min(end, next) - clock.now());
        // No timer waits for another, as in the daemon.
        const due = await timersDue(store, clock.now());
        const state = { done: false };
        const all = due.map(async (timer) => {
          if (timer.kind === 'go-on') await engine.check(timer);
          else if (timer.kind === 'limit') await limits.check(timer);
        });
        const checked = Promise.all(all).then(() => {
          state.done = true;
        });
        // One that looks again and again needs time to pass meanwhile.
        for (;;) {
          await Promise.race([checked, new Promise((resolve) => setTimeout(resolve, 50))]);
          if (state.done) break;
          await clock.advance(250);
        }
        await checked;
        await settled();
      }
    },
    settled,
  });
  return at;
}

/** No input is another one's repetition. */
let inputs = 0;

const claude = (event: string, session: string, more: Record<string, unknown> = {}) => ({
  prompt_id: `p-${inputs++}`,
  session_id: session,
  hook_event_name: event,
  cwd: `/home/dev/${session}`,
  ...more,
});
export const prompt = (session: string) => claude('UserPromptSubmit', session, { prompt: 'Go on' });
// The virtual clock begins at 12:00 UTC.
export const limited = (session: string, until: string) =>
  claude('StopFailure', session, {
    error: 'rate_limit',
    last_assistant_message: `You've hit your session limit · resets ${until} (UTC)`,
  });
export const finished = (session: string) => claude('Stop', session);
export const overloaded = (session: string) =>
  claude('StopFailure', session, { error: 'overloaded', last_assistant_message: 'API Error: 529 Overloaded' });

export async function feed(at: Bench, ...given: readonly Record<string, unknown>[]): Promise<void> {
  await at.clock.advance(1_000);
  for (const input of given) await at.feed(input, { agent: 'claude' });
  await at.settled();
}

export const nexts = async (at: Bench): Promise<readonly string[]> =>
  (await at.goingOn.stopped()).map(({ record, next }) => `${record.sessionId} ${next.what}`);
