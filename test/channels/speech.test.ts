// Speech: the sentence on standard input and never in a word, a queue of one, programs that are missing. The voices are scripts that record what they were given.
import { describe, expect, test } from 'vitest';
import { sentenceOf } from '../../src/channels/speech/open.ts';
import { speakersOf } from '../../src/channels/speech/voices.ts';
import { speech } from '../../src/channels/speech.ts';
import hostile from '../fixtures/hostile.json' with { type: 'json' };
import { deliver, messageOf, notificationOf, testChannel, toolsOf } from '../contracts/channel.ts';
import { recordingPrograms } from '../support/recording-programs.ts';

testChannel({
  channel: speech,
  input: { voice: 'en-gb', text: '{agent} in {project}: {title}' },
  unreachable: async () => ({ input: {}, tools: recordingPrograms({}, '').tools, secrets: [] }),
  works: async () => {
    const { tools, isThere } = recordingPrograms({ 'espeak-ng': 'cat >spoken' });
    return { input: {}, tools, arrived: () => isThere('spoken') };
  },
  hangs: async () => {
    const { tools, isThere } = recordingPrograms({ 'espeak-ng': 'touch spoken; sleep 600' });
    return { input: {}, tools, arrived: () => isThere('spoken') };
  },
});

describe('speaking', () => {
  test('the sentence comes on standard input', async () => {
    const { tools, read } = recordingPrograms({ 'espeak-ng': 'cat >spoken; echo "$@" >given' });
    const settings = { voice: 'en-gb', text: '{project}: {title}' };
    expect(await deliver(speech, settings, messageOf({ title: '$(id) done' }), tools)).toEqual({ ok: true });
    expect([read('spoken'), read('given')]).toEqual(['project: $(id) done', '-v en-gb --stdin\n']);
  });

  test('while one is spoken, only the newest waits', async () => {
    const script = 'cat >>spoken; echo >>spoken; touch begun; while [ ! -e go ]; do sleep 0.02; done';
    const { tools, read, isThere, make } = recordingPrograms({ 'espeak-ng': script });
    const channel = speech.open(speech.schema.parse({}), tools);
    const say = (title: string) => channel.send(messageOf({ title }), { signal: tools.signal, timeoutMs: 60_000 });
    const first = say('first');
    await isThere('begun');
    const rest = [say('second'), say('third')];
    make('go');
    const left = { ok: true, answer: 'left out: something newer was to be said' };
    expect(await Promise.all([first, ...rest])).toEqual([{ ok: true }, left, { ok: true }]);
    expect(read('spoken')).toBe('first\nthird\n');
    await channel.close();
  });
});

test.each(hostile.map((text) => [JSON.stringify(text).slice(0, 60), text]))('%s is one short line', (_name, title) => {
  const sentence = sentenceOf('{title}', notificationOf({ title }));
  expect(sentence).toMatch(/^[^\n[\]<>\x00-\x1f]+$/);
  expect(sentence.length).toBeLessThanOrEqual(4_000);
});

test('macOS and Windows: the text is in no word, the voice in no code', () => {
  expect(speakersOf('darwin', 'Anna')).toEqual([{ program: 'say', args: ['-v', 'Anna', '-f', '-'] }]);
  const [windows] = speakersOf('win32', 'Microsoft Zira');
  expect(windows?.args.join(' ')).not.toContain('Zira');
});

test.each([{ voice: '-w' }, { voice: '' }, { text: '{body}' }, { text: '' }])(
  'settings that are refused: %j',
  (input) => {
    expect(speech.schema.safeParse(input).success).toBe(false);
  },
);

test('`check` names the program', async () => {
  const { tools } = recordingPrograms({ espeak: 'true' }, '');
  expect(await speech.check(speech.schema.parse({}), tools)).toEqual([
    { level: 'ok', text: 'espeak speaks (not tried)' },
  ]);
  expect(await speech.check(speech.schema.parse({}), toolsOf({ platform: 'linux' }))).toMatchObject([
    { level: 'fail' },
  ]);
});
