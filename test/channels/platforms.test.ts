// The desktop's macOS and Windows halves: the very arguments their programs are started with, made by node-notifier's own code; and the bus address on Linux.
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { busAddress } from '../../src/channels/desktop/bus.ts';
import { type DesktopNotification, toDesktopNotification } from '../../src/channels/desktop/freedesktop.ts';
import { macOptions, runNotifier, windowsOptions } from '../../src/channels/desktop/node-notifier.ts';
import { eventOf, notificationOf } from '../contracts/channel.ts';

/** The parts of node-notifier that turn options into arguments. */
const notifier = createRequire(import.meta.url)('node-notifier/lib/utils.js') as {
  mapToMac(options: object): object;
  mapToWin8(options: object): object;
  constructArgumentList(options: object, extra?: object): string[];
};
const note = (more: Partial<DesktopNotification> = {}): DesktopNotification => ({
  summary: '-T "x"',
  body: 'a\n$(id) `b` \\',
  urgency: 1,
  icon: '',
  sound: false,
  ...more,
});

/** Whole arguments as one table: option name to value. */
function pairs(list: string[]): Record<string, string> {
  return Object.fromEntries(Array.from({ length: list.length / 2 }, (_x, i) => [list[2 * i], list[2 * i + 1]]));
}

describe('macOS', () => {
  const list = (n: DesktopNotification): Record<string, string> =>
    pairs(notifier.constructArgumentList(notifier.mapToMac({ ...macOptions(n, 'claude:s1') })));

  test('each value is quoted as the program reads it, none can begin an option', () => {
    expect(list(note())).toMatchObject({
      '-title': '"-T \\"x\\""',
      '-message': '"a\\n\\$(id) \\`b\\` \\\\"',
      '-group': '"claude:s1"',
    });
  });

  test('does not stay behind as a process, and is silent by default', () => {
    expect(list(note())).not.toHaveProperty('-timeout');
    expect(list(note())).not.toHaveProperty('-sound');
    expect(list(note({ sound: true }))).toHaveProperty('-sound');
  });

  test('an empty body is a blank, which the program accepts', () => {
    expect(list(note({ body: '' }))).toMatchObject({ '-message': '" "' });
  });
});

describe('Windows', () => {
  const list = (n: DesktopNotification): string[] =>
    notifier.constructArgumentList(notifier.mapToWin8({ ...windowsOptions(n, 'claude:s1') }), {
      explicitTrue: true,
      wrapper: '',
      keepNewlines: true,
      noEscape: true,
    });

  test('each value is one argument of its own', () => {
    const made = list(note());
    expect(made[made.indexOf('-t') + 1]).toBe('-T "x"');
    expect(made[made.indexOf('-m') + 1]).toBe('a\n$(id) `b` \\');
    expect(made[made.indexOf('-id') + 1]).toMatch(/^\d+$/);
  });

  test('is silent by default', () => {
    expect(list(note())).toContain('-silent');
    expect(list(note({ sound: true }))).not.toContain('-silent');
  });

  test('the same session has the same toast, another has another', () => {
    const id = (key: string) => windowsOptions(note(), key)['id'];
    expect(id('a:1')).toBe(id('a:1'));
    expect(id('a:1')).not.toBe(id('a:2'));
  });
});

describe('the system’s program', () => {
  test.each([
    ['says it is shown', (_o: object, done: (e: unknown) => void) => done(null), true],
    ['complains', (_o: object, done: (e: unknown) => void) => done(new Error('denied')), false],
    ['stays until the user looks', () => undefined, true],
  ])('%s', async (_name, notify, ok) => {
    expect(await runNotifier({ notify }, macOptions(note(), 's'))).toMatchObject({ ok });
  });
});

test.each([
  [{ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus' }, false, 'unix:path=/run/user/1000/bus'],
  [{ XDG_RUNTIME_DIR: '/run/user/1000' }, true, 'unix:path=/run/user/1000/bus'],
  [{ XDG_RUNTIME_DIR: '/run/user/1000' }, false, null],
  [{ XDG_RUNTIME_DIR: 'relative' }, true, null],
  [{ DBUS_SESSION_BUS_ADDRESS: '' }, false, null],
  [{}, true, null],
])('the bus for %j', (env, exists, address) => {
  expect(busAddress(env, () => exists)).toBe(address);
});

test.each([
  ['low', false, 0],
  ['normal', false, 1],
  ['urgent', false, 2],
  ['normal', true, 2],
  ['low', true, 0],
] as const)('urgency %s, abnormal %s is %i', (urgency, abnormal, expected) => {
  expect(toDesktopNotification(notificationOf({ event: eventOf({ urgency, abnormal }) }), false).urgency).toBe(
    expected,
  );
});
