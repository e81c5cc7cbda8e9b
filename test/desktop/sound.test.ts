// Sounds and speech by a real sound server, recorded: which sound was played, how loud, one at a time, and not while they are held back.
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { sound } from '../../src/channels/sound.ts';
import { speech } from '../../src/channels/speech.ts';
import type { ChannelType } from '../../src/model/channel/channel.ts';
import { messageOf, type TestTools, toolsOf } from '../contracts/channel.ts';
import { needs } from '../support/needs.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import {
  type Heard,
  RATE,
  SOUND_PROGRAMS,
  type SoundServer,
  soundsIn,
  startSoundServer,
  strengthOf,
} from '../support/sound-server.ts';
import { asked, homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

/** Seconds from one note to the next, and the notes' frequencies. */
const STEP = 0.16;
const [LOW, MIDDLE, HIGH] = [523, 659, 880];

let server: SoundServer;
const toolsFor = ({ env }: SoundServer): TestTools =>
  toolsOf({ platform: 'linux', env: { ...env, PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/' } });

beforeEach(async (context) => {
  needs(context, ...SOUND_PROGRAMS);
  server = await startSoundServer();
});

function opened<S>(channel: ChannelType<S>, settings: object) {
  const tools = toolsFor(server);
  const open = channel.open(channel.schema.parse(settings), tools);
  onTestFinished(() => open.close());
  return (more: Parameters<typeof messageOf>[0]) =>
    open.send(messageOf(more), { signal: tools.signal, timeoutMs: 60_000 });
}

/** Waits until so many sounds have ended. */
async function heard(count: number, gap = 0.1): Promise<readonly Heard[]> {
  const isOver = (): boolean => {
    const samples = server.heard();
    const sounds = soundsIn(samples, gap);
    return sounds.length >= count && (sounds.at(-1)?.end ?? 0) < samples.length / RATE - gap - 0.5;
  };
  await until(isOver, `${count} sounds to be heard`, 30_000);
  return soundsIn(server.heard(), gap);
}

/** The strongest of the three frequencies, note by note. */
function notesOf(played: Heard, count: number): readonly number[] {
  return Array.from({ length: count }, (_note, index) => {
    const strength = (hz: number): number => strengthOf(played, hz, index * STEP + 0.03);
    return [LOW, MIDDLE, HIGH].reduce((best, hz) => (strength(hz) > strength(best) ? hz : best));
  });
}

describe('sound', () => {
  test.each([
    ['low', [LOW]],
    ['normal', [MIDDLE, HIGH]],
    ['urgent', [HIGH, MIDDLE, HIGH]],
  ] as const)('%s is heard as it is', async (urgency, notes) => {
    const play = opened(sound, { volume: 0.5 });
    expect(await play({ urgency })).toEqual({ ok: true });
    const [played, ...others] = await heard(1);
    expect(others).toEqual([]);
    expect(played && notesOf(played, notes.length)).toEqual(notes);
  });

  test('the volume is that of the settings', async () => {
    for (const volume of [0.2, 0.8]) await opened(sound, { volume })({ urgency: 'low' });
    const [quiet, loud] = await heard(2);
    expect((loud?.loudest ?? 0) / (quiet?.loudest ?? 1)).toBeCloseTo(4, 0);
  });

  test('three at once are heard one after the other, each whole', async () => {
    const play = opened(sound, { volume: 0.5 });
    await Promise.all((['urgent', 'low', 'normal'] as const).map((urgency) => play({ urgency })));
    const all = await heard(3);
    expect(all.map((played, index) => notesOf(played, [3, 1, 2][index] ?? 0))).toEqual([
      [HIGH, MIDDLE, HIGH],
      [LOW],
      [MIDDLE, HIGH],
    ]);
  });
});

describe('speech', () => {
  beforeEach((context) => needs(context, ['espeak-ng'], 'espeak-ng'));

  test('is heard; a longer sentence for longer', async () => {
    const say = opened(speech, {});
    expect(await say({ title: 'Done' })).toEqual({ ok: true });
    const [short] = await heard(1, 1);
    expect(
      await say({ title: 'The tests of the project payments have all passed, and nobody has seen it yet' }),
    ).toEqual({
      ok: true,
    });
    const long = (await heard(2, 1))[1];
    const seconds = (one?: Heard): number => (one ? one.end - one.begin : 0);
    expect(seconds(short)).toBeGreaterThan(0.2);
    expect(short?.loudest).toBeGreaterThan(0.05);
    expect(seconds(long)).toBeGreaterThan(2 * seconds(short));
  });

  test('of three at once the first and the last are heard, one after the other', async () => {
    const say = opened(speech, {});
    const first = say({ title: 'The first one' });
    await until(() => soundsIn(server.heard()).length > 0, 'it to be spoken');
    const all = await Promise.all([first, say({ title: 'The second one' }), say({ title: 'The third one' })]);
    expect(all.map((outcome) => outcome.ok && (outcome.answer ?? 'said'))).toEqual([
      'said',
      expect.stringContaining('left out'),
      'said',
    ]);
    expect(await heard(2, 0.25)).toHaveLength(2);
  });
});

/** Quiet hours of today and of the days around it. */
function thisHalfOfTheWeek(): string[] {
  const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
  const today = new Date().getDay();
  return [-1, 0, 1].map((by) => `${days[(today + by + 7) % 7]} 00:00-24:00`);
}

describe('through the daemon', () => {
  const SETTINGS = ['sound', 'speech'].map((type) => `[channels.${type}]\ntype = "${type}"\n`).join('');
  const states = async (home: string): Promise<readonly string[]> => {
    const all = await asked<{ state: string; held_by?: string | null }[]>(home, ['deliveries']);
    return all.map(({ state }) => state);
  };

  test.each([
    ['a mute', '', true],
    ['quiet hours', `[quiet]\nhours = ${JSON.stringify(thisHalfOfTheWeek())}\n`, false],
  ])('%s holds both back', async (_name, more, muted) => {
    const route = '[[routes]]\nto = ["sound", "speech"]\n';
    const home = homeWith(`${SETTINGS}${route}${more}`);
    await startDaemon(home, { env: { ...server.env, HOME: process.env['HOME'] } });
    if (muted) await belfry(home, ['mute']);
    const { stdout } = await belfry(home, ['send', 'Held back']);
    expect(stdout).toMatch(/^not sent: /);
    expect(await states(home)).toEqual(['pending', 'pending']);
    expect(soundsIn(server.heard())).toEqual([]);
    expect((await belfry(home, ['send', 'At once', '--urgency', 'urgent'])).stdout).toContain('delivered');
    await until(async () => (await states(home)).filter((state) => state === 'sent').length === 2, 'the urgent one');
    const before = await heard(1); // what is urgent
    if (!muted) return;
    await belfry(home, ['unmute']);
    await until(async () => (await states(home)).filter((state) => state === 'sent').length === 4, 'the digest');
    expect((await heard(before.length + 1)).length).toBeGreaterThan(before.length);
  });
});
