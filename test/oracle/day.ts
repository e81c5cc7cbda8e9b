// Random days: settings, what agents report and what a person does, from a seed. A day that was recorded stays the same day for ever: a new
// kind of action goes into a new generator.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { linesOf, type World, world } from './world.ts';
import { ANSWERING_PHONE, AUDIT, DESK } from '../support/people-channels.ts';

/** What happens: a word, and what it concerns. */
export type Action = readonly [what: string, whom?: string];

export interface Day {
  readonly settings: string;
  /** Those that take their place when they are taken over. */
  readonly later: string;
  /** Unix ms. */
  readonly start: number;
  /** `after`: ms since the one before. */
  readonly moments: readonly { readonly after: number; readonly action: Action }[];
}

const WATCH = `[channels.watch]
type = "ntfy"
topic = "belfry-of-the-tests"
`;
const CHANNELS = `
${DESK}${ANSWERING_PHONE}${WATCH}${AUDIT}`;

const ESCALATIONS = [
  null,
  null,
  '[{ after = "2m", to = ["phone"] }, { after = "10m", to = ["desk", "watch"] }]',
  '[{ after = "30m", to = ["watch"] }]',
];

const route = fc
  .record({
    match: fc.constantFrom(
      null,
      null,
      null,
      'kind = "agent.waiting"',
      'kind = "agent.finished"',
      'urgency = "urgent"',
      'project = "api"',
      'urgency = ["normal", "urgent"]',
    ),
    to: fc.subarray(['desk', 'phone', 'watch', 'audit'], { minLength: 2 }),
    delay: fc.constantFrom(null, null, null, '5s', '30s', '10m'),
    when: fc.constantFrom('always', 'always', 'always', 'away', 'idle'),
    escalate: fc.constantFrom(...ESCALATIONS),
    repeat: fc.constantFrom(null, null, '20m', '1h'),
    also: fc.boolean(),
    group: fc.constantFrom(null, null, '["project"]', '["kind"]', '["session"]'),
  })
  .map(({ match, to, delay, when, escalate, repeat, also, group }) =>
    [
      '[[routes]]',
      ...(match === null ? [] : [`match = { ${match} }`]),
      `to = ${JSON.stringify(to)}`,
      ...(delay === null ? [] : [`delay = "${delay}"`]),
      `when = "${when}"`,
      ...(escalate === null ? [] : [`escalate = ${escalate}`]),
      ...(repeat === null ? [] : [`repeat = "${repeat}"`]),
      ...(also ? ['also = true'] : []),
      ...(group === null ? [] : [`group = { by = ${group}, wait = "2s", every = "1m" }`]),
    ].join('\n'),
  );

/** Any settings of these days. */
export const settings = fc
  .record({
    routes: fc.array(route, { minLength: 1, maxLength: 3 }),
    quiet: fc.constantFrom(null, null, '["22:00-07:00"]', '["12:30-13:30", "15:00-15:20"]'),
    answer: fc.constantFrom(true, true, true, false),
  })
  .map(({ routes, quiet, answer }) =>
    [
      CHANNELS,
      ...(quiet === null ? [] : [`[quiet]\nhours = ${quiet}\nzone = "UTC"`]),
      ...(answer ? ['[answer]\nchannels = ["phone"]'] : []),
      ...routes,
      '',
    ].join('\n'),
  );

const SESSIONS = ['a', 'b', 'c', 'd'];
export const of = (
  what: string,
  weight: number,
): { readonly weight: number; readonly arbitrary: fc.Arbitrary<Action> } => ({
  weight,
  arbitrary: fc.constantFrom(...SESSIONS).map((session): Action => [what, session]),
});
export const does = (weight: number, ...actions: readonly Action[]) => ({
  weight,
  arbitrary: fc.constantFrom(...actions),
});

const action: fc.Arbitrary<Action> = fc.oneof(
  of('ask', 8),
  of('hold', 5),
  of('used', 5),
  of('finish', 6),
  of('prompt', 4),
  of('notice', 3),
  of('fail', 2),
  of('end', 2),
  of('start', 1),
  of('quit', 1),
  of('burst', 1),
  does(4, ['ack', 'all'], ['ack', 'latest'], ['pressed', 'ack']),
  does(4, ['pressed', 'allow'], ['pressed', 'deny'], ['answered', 'allow'], ['answered', 'deny']),
  does(3, ['mute'], ['mute', '600'], ['mute', '7200'], ['mute', 'all'], ['mute', 'desk'], ['mute', 'phone']),
  does(3, ['unmute'], ['digest']),
  does(3, ['look'], ['read'], ['leave'], ['away', '3600'], ['back']),
  does(3, ['down', 'desk'], ['down', 'phone'], ['up', 'desk'], ['up', 'phone']),
  does(2, ['restart'], ['sleep', '1200'], ['clock', '900'], ['clock', '-900'], ['reload']),
  does(1, ['send', 'urgent'], ['send', 'normal'], ['test']),
);

export const within = (weight: number, min: number, max: number) => ({ weight, arbitrary: fc.integer({ min, max }) });
const after = fc.oneof(
  within(5, 0, 5_000),
  within(4, 5_000, 120_000),
  within(3, 120_000, 1_200_000),
  within(1, 1_200_000, 4_200_000),
);

/** Any day. */
const anyDay: fc.Arbitrary<Day> = fc.record({
  settings,
  later: settings,
  start: fc.constantFrom(Date.UTC(2026, 5, 1, 12), Date.UTC(2026, 5, 5, 21, 30)),
  moments: fc.array(fc.record({ after, action }), { minLength: 5, maxLength: 40 }),
});

/** Day `number`, from 0: always the same one. */
export const dayOf = (number: number): Day => fc.sample(anyDay, { numRuns: 1, seed: 30_000 + number })[0] as Day;

const PROJECTS: Readonly<Record<string, string>> = { a: 'payments', b: 'payments', c: 'api', d: 'web' };
/** Of the one session whose client is watched: looking at processes is most of what a day costs. */
const CLIENT = { session: 'd', pid: 104 };

const INPUTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  start: { hook_event_name: 'SessionStart', source: 'startup' },
  notice: { hook_event_name: 'Notification', notification_type: 'attention' },
  finish: { hook_event_name: 'Stop' },
  prompt: { hook_event_name: 'UserPromptSubmit', prompt: 'Go on' },
  fail: { hook_event_name: 'StopFailure', error: 'rate_limit' },
  end: { hook_event_name: 'SessionEnd', reason: 'error' },
};
const request = (n: number) => ({ tool_name: 'Bash', tool_input: { command: `make step-${n}` } });

/** Lets a day happen, and the two hours after it; resolves with all that was told. */
export async function live(day: Day): Promise<readonly string[]> {
  const here = await world(day.settings, day.start);
  try {
    const asked = new Map<string, number>();
    for (const { after: wait, action: happens } of day.moments) {
      await here.pass(wait);
      if (happens[0] === 'reload') await here.reload(day.later);
      else await act(here, happens, asked);
    }
    await here.pass(2 * 3_600_000);
    return linesOf(here.told);
  } finally {
    await here.close();
  }
}

async function act(here: World, [what, whom = '']: Action, asked: Map<string, number>): Promise<void> {
  if (SESSIONS.includes(whom)) return reported(here, what, whom, asked);
  const { clock, person, down } = here;
  if (what === 'ack') await here.command('ack', { [whom]: true });
  else if (what === 'answered') await answered(here, whom);
  else if (what === 'pressed') await pressed(here, whom);
  else if (what === 'mute') await muted(here, whom);
  else if (what === 'unmute' || what === 'digest' || what === 'back' || what === 'test') await here.command(what);
  else if (what === 'away') await here.command('away', { ms: Number(whom) * 1_000 });
  else if (what === 'send') await here.command('send', { title: 'Deployed', body: 'to staging', urgency: whom });
  else if (what === 'down') down.add(whom);
  else if (what === 'up') down.delete(whom);
  else if (what === 'restart') await here.restart();
  else if (what === 'sleep' || what === 'clock') clock.jump(Number(whom) * 1_000);
  else {
    person.isLooking = what !== 'leave';
    person.lastInput = what === 'read' ? clock.now() : null;
  }
}

/** Beside the mutes that there are, as when this was recorded: one of the same subject took the place of no other then. */
async function muted({ clock, daemon, pass }: World, whom: string): Promise<void> {
  const createdAt = clock.now();
  const until = /^\d+$/.test(whom) ? createdAt + Number(whom) * 1_000 : null;
  const channel = until === null && whom !== '' && whom !== 'all' ? whom : null;
  const of = { session: null, cwd: null, channel, all: whom === 'all' };
  await daemon().store.putSilence({ id: randomUUID(), until, ...of, createdAt, reason: null });
  await pass(0);
}

/** An agent's hook runs. */
async function reported(here: World, what: string, session: string, asked: Map<string, number>): Promise<void> {
  const common = { session_id: session, cwd: `/home/dev/src/${PROJECTS[session]}` };
  const { pid } = CLIENT;
  const origin =
    session === CLIENT.session ? { pid: 1_000, ppid: pid, ancestors: [{ pid, start: '1', name: 'claude' }] } : {};
  if (what === 'quit') return void (session === CLIENT.session && here.exited.add(pid));
  if (session === CLIENT.session) here.exited.delete(pid);
  if (what === 'burst') {
    for (let i = 0; i < 12; i++) await reported(here, 'notice', SESSIONS[i % SESSIONS.length] ?? 'a', asked);
    return;
  }
  if (what === 'storm') {
    const notice = { ...common, ...INPUTS['notice'] };
    for (let i = 0; i < 30; i++) await here.give({ input: { ...notice, message: `Look at ${i}` }, origin });
    return;
  }
  const isRequest = what === 'ask' || what === 'hold';
  const n = (asked.get(session) ?? 0) + (isRequest ? 1 : 0);
  asked.set(session, n);
  const named = { ...request(n), tool_use_id: `${session}-${n}` };
  if (isRequest) {
    const input = { ...common, hook_event_name: 'PermissionRequest', ...named };
    return here.give({ input, origin, ...(what === 'hold' && { waits: `${session}-${n}` }) });
  }
  if (what === 'used')
    return here.give({ input: { ...common, hook_event_name: 'PostToolUse', ...named, tool_response: {} }, origin });
  await here.give({ input: { ...common, ...INPUTS[what] }, origin });
}

/** With a button of the last message that has it. */
export async function pressed(here: World, button: string): Promise<void> {
  const messages = here.told
    .filter(({ to, message }) => to === 'phone' && message !== null)
    .map(({ message }) => message);
  const references = messages.map((message) =>
    button === 'ack'
      ? (message?.acknowledgeWith ?? null)
      : (message?.question?.buttons.find(({ says }) => says === button)?.reference ?? null),
  );
  const reference = references.findLast((one) => one !== null);
  if (reference !== undefined) await here.press('phone', { reference: reference ?? null, text: null });
}

/** At the command line, as it was shown there. */
async function answered(here: World, type: string): Promise<void> {
  const [question] = await here.open();
  if (question === undefined) return;
  await here.command('answer', { ...question, answer: type === 'deny' ? { type, message: 'not now' } : { type } });
}
