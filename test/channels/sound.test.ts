// Sound: which file each player is given, one at a time; players that are missing or fail. The players are scripts that record what they were run with.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { playersOf } from '../../src/channels/sound/players.ts';
import { wavOf } from '../../src/channels/sound/wav.ts';
import { sound } from '../../src/channels/sound.ts';
import { closeChannels, deliver, messageOf, testChannel } from '../contracts/channel.ts';
import { temporaryFolder } from '../support/home.ts';
import { recordingPrograms, SECRET } from '../support/recording-programs.ts';

testChannel({
  channel: sound,
  input: { volume: 0.3, files: { urgent: '~/bell.wav' } },
  unreachable: async () => ({ input: {}, tools: recordingPrograms({}, '').tools, secrets: [] }),
  works: async () => {
    const { tools, isThere } = recordingPrograms({ 'pw-play': 'touch played' });
    return { input: {}, tools, arrived: () => isThere('played') };
  },
  hangs: async () => {
    const { tools, isThere } = recordingPrograms({ 'pw-play': 'touch played; sleep 600' });
    return { input: {}, tools, arrived: () => isThere('played') };
  },
});

describe('playing', () => {
  test('each urgency has its own sound, in a folder that goes with the channel; the player gets nothing of ours', async () => {
    const { tools, read } = recordingPrograms({
      'pw-play': 'echo "$2" >>files; cat "$2" >>"$(basename "$2")"; env >environment',
    });
    for (const urgency of ['low', 'normal', 'urgent'] as const) {
      expect(await deliver(sound, { volume: 0.3 }, messageOf({ urgency }), tools)).toEqual({ ok: true });
      expect(read(`${urgency}.wav`)).toBe(wavOf(urgency, 0.3).toString('utf8'));
    }
    expect(read('environment')).not.toContain(SECRET);
    await closeChannels();
    for (const file of read('files').trim().split('\n')) expect(existsSync(dirname(file))).toBe(false);
  });

  test('a player that fails gives way to the next', async () => {
    const { tools, read } = recordingPrograms({ 'pw-play': 'exit 1', paplay: 'echo "$@" >given' });
    const file = join(temporaryFolder(), 'my bell.wav');
    expect(await deliver(sound, { files: { normal: file }, volume: 0.5 }, messageOf(), tools)).toEqual({ ok: true });
    expect(read('given')).toBe(`--volume=32768 ${file}\n`);
  });

  test('all that fail: tried again later', async () => {
    const { tools } = recordingPrograms({ 'pw-play': 'echo no device >&2; exit 1', paplay: 'exit 1', aplay: 'exit 1' });
    expect(await deliver(sound, {}, messageOf(), tools)).toMatchObject({ ok: false, reason: 'server' });
  });

  test('one at a time', async () => {
    const { tools, read } = recordingPrograms({
      'pw-play': 'mkdir playing || echo overlap >>log; echo played >>log; rmdir playing',
    });
    await Promise.all(['1', '2', '3', '4'].map((id) => deliver(sound, {}, messageOf({}, { id }), tools)));
    expect(read('log')).toBe('played\n'.repeat(4));
  });
});

test.each(['low', 'normal', 'urgent'] as const)(
  'the sound for %s is a WAV of under two seconds, audible and never clipped',
  (urgency) => {
    const wav = wavOf(urgency, 1);
    expect(wav.subarray(0, 4).toString()).toBe('RIFF');
    expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
    const samples = new Int16Array(wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + wav.length));
    const loudest = samples.reduce((most, level) => Math.max(most, Math.abs(level)), 0);
    expect([loudest > 8_000, loudest < 32_000, samples.length / 22_050 < 2]).toEqual([true, true, true]);
    expect(
      wavOf(urgency, 0)
        .subarray(44)
        .every((byte) => byte === 0),
    ).toBe(true);
  },
);

test('macOS and Windows: a path is one argument, or a variable, and never code', () => {
  const path = '/a b/$(id)";.wav';
  expect(playersOf('darwin', path, 0.5)).toEqual([{ program: 'afplay', args: ['-v', '0.5', path] }]);
  const [windows] = playersOf('win32', path, 0.5);
  expect(windows?.args.join(' ')).not.toContain(path);
  expect(windows?.env).toEqual({ BELFRY_SOUND: path });
});

test('`check` names a missing file', async () => {
  const { tools } = recordingPrograms({ aplay: 'true' }, '');
  const settings = sound.schema.parse({ files: { low: '/nowhere/bell.wav' } });
  expect(await sound.check(settings, tools)).toMatchObject([
    { level: 'ok', text: 'aplay plays sounds (not tried)' },
    { level: 'fail' },
  ]);
});
