// What clients did, as it was recorded or made by hand, under settings of several kinds: the courses of test/support, in the world of the oracle.
import { appendFileSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentByName } from '../../src/agents/index.ts';
import { createProcessInspector } from '../../src/daemon/sessions/process-inspector.ts';
import { createFiles } from '../../src/files/index.ts';
import type { Mount } from '../../src/lib/mounts/mount-table.ts';
import { HERE } from '../../src/model/session/whereabouts.ts';
import type { ClientProcess } from '../../src/model/session/session.ts';
import { MADE_ENDINGS } from '../support/made-endings.ts';
import { MADE_SEQUENCES } from '../support/made-sequences.ts';
import { type InputStep, recordedSequences, type Sequence, type Step } from '../support/sequence.ts';
import { pressed } from './day.ts';
import { linesOf, scratchHome, type World, world } from './world.ts';
import { ANSWERING_PHONE, AUDIT, DESK } from '../support/people-channels.ts';

const CHANNELS = `
${DESK}${ANSWERING_PHONE}${AUDIT}[[routes]]
to = ["audit"]
also = true
[[routes]]
match = { urgency = ["normal", "urgent"] }
to = ["phone", "desk"]
`;
const ESCALATE = 'escalate = [{ after = "20s", to = ["desk"] }]\nrepeat = "5m"\n';
/** Noon, when every course begins. */
const START = Date.UTC(2026, 5, 1, 12);
/** Time after the end of a course in which steps, reminders and digests come, ms. */
const AFTERWARDS = 15 * 60_000;

/** Until a person answers, ms. */
const SOON = 1_600;

interface Setting {
  /** config.toml. */
  readonly toml: string;
  /** Whether hooks wait for an answer from elsewhere. */
  readonly waits?: boolean;
  /** Whether a person allows it soon. */
  readonly answers?: boolean;
  /** What a person does in the beginning, in the middle of the course, and when it is over. */
  readonly first?: (here: World) => unknown;
  readonly half?: (here: World) => unknown;
  readonly last?: (here: World) => unknown;
}

/** Every file is looked at in this process: one of its own would take its time in real time. */
const LOCAL: Mount = { id: 'scratch', type: 'tmpfs', isLocal: true };

const looks =
  (isLooking: boolean) =>
  ({ person }: World): void => {
    person.isLooking = isLooking;
  };

const SETTINGS: Readonly<Record<string, Setting>> = {
  plain: { toml: CHANNELS },
  group: { toml: `${CHANNELS}${ESCALATE}group = { by = ["project"], wait = "2s", every = "1m" }\n` },
  quiet: { toml: `${CHANNELS}${ESCALATE}[quiet]\nhours = ["11:00-12:03"]\nzone = "UTC"\n` },
  mute: {
    toml: `${CHANNELS}${ESCALATE}`,
    half: ({ command }) => command('mute', { ms: 120_000, all: true }),
    last: ({ command }) => command('unmute'),
  },
  away: { toml: `${CHANNELS}when = "away"\n`, first: looks(true), half: looks(false), last: looks(true) },
  delay: { toml: `${CHANNELS}delay = "5s"\n${ESCALATE}` },
  outage: {
    toml: `${CHANNELS}${ESCALATE}`,
    first: ({ down }) => down.add('phone'),
    last: ({ down }) => down.delete('phone'),
  },
  asked: {
    toml: `${CHANNELS}[answer]\nchannels = ["phone"]\n`,
    waits: true,
    first: ({ command }) => command('away', { ms: 600_000 }),
    last: ({ command }) => command('ack', { all: true }),
  },
  answered: {
    toml: `${CHANNELS}[answer]\nchannels = ["phone"]\n`,
    waits: true,
    first: ({ command }) => command('away', { ms: 600_000 }),
    answers: true,
  },
};

const courses = (): readonly Sequence[] => [...recordedSequences(), ...MADE_SEQUENCES, ...MADE_ENDINGS];
const separator = ' under ';

/** Every course under every setting. */
export const courseNames = (): readonly string[] =>
  courses().flatMap(({ name }) => Object.keys(SETTINGS).map((setting) => `${name}${separator}${setting}`));

/** Resolves with all that is told in the course of this name, and in the time after it. */
export async function played(name: string): Promise<readonly string[]> {
  const [course = '', kind = ''] = name.split(separator);
  const sequence = courses().find((one) => one.name === course);
  const setting = SETTINGS[kind];
  if (sequence === undefined || setting === undefined) throw new Error(`no course ${name}`);
  const home = scratchHome();
  process.env['TMPDIR'] = join(home, 'tmp'); // where clients leave reports
  const exited = new Set<string>();
  const here = await world(setting.toml, START, {
    home,
    machine: (clock) => ({
      inspector: {
        findClient: createProcessInspector('linux', HERE.host, clock.now).findClient,
        findExited: async (all) => all.filter((one) => exited.has(processName(sequence, one) ?? '')),
      },
      files: createFiles({ clock, log: () => undefined, mounts: async () => LOCAL, program: '' }),
    }),
  });
  try {
    await setting.first?.(here);
    let isHalf = false;
    for (const [i, step] of sequence.steps.entries()) {
      if (!isHalf && i >= sequence.steps.length / 2) {
        isHalf = true;
        await setting.half?.(here);
      }
      await passTo(here, step.at);
      await take(step, { here, home, sequence, exited, setting });
    }
    await passTo(here, sequence.until);
    await setting.last?.(here);
    await here.pass(AFTERWARDS);
    return linesOf(here.told).map((line) => line.replaceAll(home, '/home/dev'));
  } finally {
    await here.close();
  }
}

/** `second`: of the course. A step may be due while the daemon is away. */
async function passTo({ clock, pass }: World, second: number): Promise<void> {
  const wait = START + Math.round(second * 1_000) - clock.now();
  if (wait > 0) await pass(wait);
}

interface Course {
  readonly here: World;
  readonly home: string;
  readonly sequence: Sequence;
  /** Names of processes. */
  readonly exited: Set<string>;
  readonly setting: Setting;
}

async function take(step: Step, course: Course): Promise<void> {
  const { here, home, exited } = course;
  const own = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('/home/dev', home)) as T; // of the same shape
  if ('exit' in step) exited.add(step.exit);
  else if ('remove' in step) rmSync(own(step.remove));
  else if ('restart' in step) await here.restart(step.restart * 1_000);
  else if ('append' in step) {
    const written = new Date(here.clock.now()).toISOString().replaceAll(/[:.]/g, '-');
    const path = own(step.append).replace('WRITTEN_AT', written);
    mkdirSync(dirname(path), { recursive: true });
    const lines = own(step.lines.map((line) => `${JSON.stringify(line)}\n`)).join('');
    const stamped = lines.replaceAll(/AT_SECOND ([\d.]+)/g, (_, second: string) => timeOf(Number(second)));
    appendFileSync(path, stamped);
    utimesSync(path, here.clock.now() / 1_000, here.clock.now() / 1_000);
  } else await report({ ...step, input: own(step.input) }, course);
}

const timeOf = (second: number): string => new Date(START + second * 1_000).toISOString();

/** A hook runs. */
async function report(step: InputStep, { here, sequence, exited, setting }: Course): Promise<void> {
  const { input, event, id, began, at, agent = sequence.client, process: name = 'client' } = step;
  const process = sequence.processes[name];
  const seen = process !== undefined && !exited.has(name) ? { seen: true as const } : {};
  const question = setting.waits === true ? (agentByName(agent)?.answering?.read(input, { env: {} }) ?? null) : null;
  const isAsked = question !== null && question.kind !== 'text';
  await here.give({
    input,
    agent,
    startedAt: START + Math.round((began ?? at) * 1_000),
    ...(event !== undefined && { event }),
    ...(id !== undefined && { id }),
    ...(process !== undefined && { origin: { ...ancestry(process, step), ...seen } }),
    ...(isAsked && { waits: `${agent} at ${at}` }),
  });
  if (!isAsked || setting.answers !== true) return;
  await here.pass(SOON);
  await pressed(here, 'allow');
}

const SHELL = { pid: 3_000, start: '1', name: 'bash' };

/** A hook's ancestors and terminal, as the daemon finds them. */
function ancestry(process: ClientProcess, { from }: InputStep) {
  if (from === undefined || from === 'closed') return { ancestors: [process] };
  return { ancestors: from === 'orphan' ? [process] : [process, SHELL], tty: '/dev/pts/7' };
}

const processName = ({ processes }: Sequence, { pid, start }: ClientProcess): string | undefined =>
  Object.entries(processes).find(([, one]) => one.pid === pid && one.start === start)?.[0];
