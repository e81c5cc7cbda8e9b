// The terminal channel against a real tmux server: its panes, and their terminals as terminals of their own. What is written is recorded as it was written.
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { badgeCommand, readBadges, withBadge } from '../../src/channels/terminal/badge.ts';
import { closeSequence, sequenceOf, showSequence, throughTmux, toNote } from '../../src/channels/terminal/sequences.ts';
import { terminal } from '../../src/channels/terminal.ts';
import type { MessageResolution } from '../../src/model/channel/channel.ts';
import type { Event } from '../../src/model/event/event.ts';
import { HERE } from '../../src/model/session/whereabouts.ts';
import type { Place } from '../../src/model/session/place.ts';
import hostile from '../fixtures/hostile.json' with { type: 'json' };
import { closeChannels, deliver, eventOf, messageOf, testChannel, toolsOf } from '../contracts/channel.ts';
import { temporaryFolder } from '../support/home.ts';
import { recordingPrograms } from '../support/recording-programs.ts';
import { startTmux } from '../support/tmux-server.ts';
import { until } from '../support/wait.ts';

const NOWHERE: Place = {
  terminal: null,
  tty: null,
  tmux: null,
  windowId: null,
  paneId: null,
  display: null,
  ssh: null,
};
const tools = toolsOf({ env: { PATH: process.env['PATH'] ?? '' }, platform: 'linux' });
const at = { signal: tools.signal, timeoutMs: 20_000 };
const WAITING = { kind: 'agent.waiting', detail: 'permission' } as const;
const RESOLVED: MessageResolution = { state: 'resolved', why: 'answered in the terminal', at: 0 };

/** An event of a session here, now. */
const eventAt = (place: Place | null, more: Partial<Event> = {}): Event =>
  eventOf({ ...HERE, ...WAITING, place, at: Date.now(), ...more });

testChannel({
  channel: terminal,
  input: { bell: false, sequence: 'osc777', tmux: true },
  unreachable: async () => ({ input: {}, tools: recordingPrograms({}, '').tools, secrets: [] }),
  works: async () => {
    const server = await startTmux();
    const event = { ...HERE, ...WAITING, place: server.place, at: Date.now() };
    return { input: {}, tools, event, arrived: () => until(() => server.option('@belfry') !== '', 'the badge') };
  },
  hangs: async () => {
    const { tools: recording, isThere } = recordingPrograms({ tmux: 'touch asked; sleep 600' });
    const place = { ...NOWHERE, tmux: { socket: '/tmp/none', pane: '%1' } };
    const event = { ...HERE, ...WAITING, place, at: Date.now() };
    return { input: {}, tools: recording, event, arrived: () => isThere('asked') };
  },
});

describe('in tmux', () => {
  test('a bell and a badge; the badge goes when the last is over, and says what matters most', async () => {
    const server = await startTmux();
    const channel = terminal.open(terminal.schema.parse({}), tools);
    const asks = eventAt(server.place);
    const first = await channel.send(messageOf({ event: asks }, { notificationId: 'ntf_1' }), at);
    expect(first).toMatchObject({ ok: true, answer: `badge, bell on pane ${server.pane} of tmux` });
    await until(() => server.written() === '\x07', 'the bell alone');
    const finish = eventAt(server.place, { kind: 'agent.finished', detail: null, urgency: 'low' });
    const second = await channel.send(messageOf({ event: finish, urgency: 'low' }, { notificationId: 'ntf_2' }), at);
    expect(second).toMatchObject({ ok: true, answer: `badge on pane ${server.pane} of tmux` });
    expect(server.option('@belfry')).toBe('waiting');
    const over = { operation: 'retract', resolution: RESOLVED } as const;
    if (!first.ok || !second.ok) throw new Error('not shown');
    await channel.retract?.(messageOf({ event: asks }, { ...over, notificationId: 'ntf_1' }), first.receipt, at);
    expect(server.option('@belfry')).toBe('finished');
    await channel.update?.(messageOf({ event: finish }, { ...over, notificationId: 'ntf_2' }), second.receipt, at);
    expect([server.option('@belfry'), server.option('@belfry_open')]).toEqual(['', '']);
    expect(server.tmux('show-options', '-p', '-t', server.pane)).toBe('');
    expect(server.written()).toBe('\x07');
    await channel.close();
  });

  test('what another run of the daemon showed is taken away, too', async () => {
    const server = await startTmux();
    const message = messageOf({ event: eventAt(server.place) });
    const sent = await deliver(terminal, {}, message, tools);
    await closeChannels();
    const receipt = sent.ok ? (JSON.parse(JSON.stringify(sent.receipt)) as unknown) : null;
    const gone = { ...message, operation: 'retract', resolution: RESOLVED } as const;
    expect(await deliver(terminal, {}, gone, tools, receipt)).toMatchObject({ ok: true });
    expect(server.option('@belfry')).toBe('');
  });

  test('a sequence only where tmux hands it on, and the terminals that show the pane are known to take it', async () => {
    const server = await startTmux();
    const message = messageOf({ event: eventAt(server.place) });
    const shown = throughTmux(showSequence('osc777', toNote(message)));
    expect(await deliver(terminal, { sequence: 'osc777' }, message, tools)).toMatchObject({ ok: true });
    server.tmux('set', '-g', 'allow-passthrough', 'on');
    expect(await deliver(terminal, { sequence: 'osc777' }, message, tools)).toMatchObject({ ok: true });
    expect(server.written()).not.toContain('notify');
    const attached = await server.attach('rxvt-unicode');
    await deliver(terminal, {}, message, tools);
    await until(() => server.written().includes(shown), 'the sequence');
    await until(() => attached().includes(showSequence('osc777', toNote(message))), 'the terminal to get it');
    await server.attach('xterm-256color');
    const before = server.written().split('notify').length;
    expect(await deliver(terminal, {}, message, tools)).toMatchObject({ ok: true });
    expect(server.written().split('notify')).toHaveLength(before);
  });

  test.each([
    ['the pane is closed', { pane: '%77' }, /pane of this session in tmux is closed/],
    ['the server has ended', { socket: '/tmp/belfry-no-such-server' }, /pane of this session in tmux is closed/],
    ['the pane has a name that is a command', { pane: '%0 ; kill-server' }, /pane of this session in tmux is closed/],
  ])('%s', async (_name, other, error) => {
    const server = await startTmux();
    const tmux = { socket: server.socket, pane: server.pane, ...other };
    const message = messageOf({ event: eventAt({ ...server.place, tmux }) });
    const outcome = await deliver(terminal, {}, message, tools);
    expect(outcome).toMatchObject({ ok: false, reason: 'client' });
    expect(outcome.ok ? '' : outcome.error).toMatch(error);
    expect(server.tmux('list-sessions')).toContain('main');
  });

  test('300 hostile texts change neither the screen nor the server', async () => {
    const server = await startTmux();
    server.tmux('set', '-g', 'allow-passthrough', 'on');
    await server.attach('rxvt-unicode');
    const screen = server.tmux('capture-pane', '-p', '-t', server.pane);
    for (const [index, text] of hostile.entries()) {
      const event = eventAt(server.place, { project: text, message: text, detail: text, sessionId: text });
      const message = messageOf({ title: text, body: text, event }, { notificationId: `ntf_${index}` });
      expect(await deliver(terminal, {}, message, tools), text).toMatchObject({ ok: true });
      expect(server.option('@belfry')).toBe('waiting');
    }
    await until(() => server.written().split('notify').length > hostile.length, 'all of them');
    expect(server.tmux('capture-pane', '-p', '-t', server.pane)).toBe(screen);
    expect(server.tmux('list-panes', '-a').trim().split('\n')).toHaveLength(1);
    expect(existsSync('/tmp/belfry-pwned')).toBe(false);
  });
});

describe('on a terminal of its own', () => {
  /** The pane's terminal, as if nothing drew it. */
  const placeOf = (tty: string, name: string): Place => ({ ...NOWHERE, tty, terminal: name });

  test.each([
    ['kitty takes OSC 99', 'xterm-kitty', 'osc99'],
    ['foot takes OSC 777', 'foot', 'osc777'],
    ['iTerm2 takes OSC 9', 'iTerm.app', 'osc9'],
    ['one that is not known gets the bell alone', 'xterm-256color', null],
    ['nor does screen, whatever draws it', 'screen', null],
  ] as const)('%s', async (_name, name, sequence) => {
    const server = await startTmux();
    const message = messageOf({ event: eventAt(placeOf(server.tty, name)) });
    const sent = await deliver(terminal, {}, message, tools);
    const said = [sequence, 'bell'].filter((part) => part !== null).join(', ');
    expect(sent).toMatchObject({ ok: true, answer: `${said} on ${server.tty}` });
    const note = toNote(message);
    const shown = `${sequence === null ? '' : showSequence(sequence, note)}\x07`;
    await until(() => server.written() === shown, 'what was written');
    const gone = { ...message, operation: 'retract', resolution: RESOLVED } as const;
    await deliver(terminal, {}, gone, tools, sent.ok ? sent.receipt : null);
    await until(() => server.written() === shown + closeSequence(sequence, note), 'its end');
    expect(server.tmux('capture-pane', '-p', '-t', server.pane).trim()).toBe('');
  });

  test('not into one that was opened after the event, nor into what is no terminal', async () => {
    const server = await startTmux();
    const folder = temporaryFolder();
    const [file, link] = [join(folder, 'file'), join(folder, 'link')];
    writeFileSync(file, '');
    symlinkSync(server.tty, link);
    const cases: readonly (readonly [string, number])[] = [
      [server.tty, Date.now() - 60_000],
      ...[file, link, '/dev/null', '/dev/pts/9999999', '/dev/tty', '../dev/pts/0'].map(
        (path) => [path, Date.now()] as const,
      ),
    ];
    for (const [path, time] of cases) {
      const event = eventAt(placeOf(path, 'foot'), { at: time });
      expect(await deliver(terminal, {}, messageOf({ event }), tools), path).toMatchObject({
        ok: false,
        reason: 'client',
      });
    }
    expect([server.written(), readFileSync(file, 'utf8')]).toEqual(['', '']);
  });

  test.each([
    ['another machine', { host: 'elsewhere' }],
    ['another user', { user: 'somebody-else' }],
    ['no terminal', { place: null }],
  ])('a session of %s cannot be shown', async (_name, more) => {
    const server = await startTmux();
    const event = eventAt(server.place, more);
    expect(await deliver(terminal, {}, messageOf({ event }), tools)).toMatchObject({ ok: false, reason: 'client' });
    expect(server.option('@belfry') + server.written()).toBe('');
  });

  test('one that was stopped takes it when it goes on, or the time is up', async () => {
    const server = await startTmux({ program: 'stty -F "$(tty)" ixon; sleep 3600' });
    server.tmux('send-keys', '-t', server.pane, 'C-s');
    const event = eventAt(placeOf(server.tty, 'foot'));
    const stopped = async (timeout: string) => deliver(terminal, { timeout }, messageOf({ event }), tools);
    await until(async () => !(await stopped('100ms')).ok, 'the terminal to be stopped');
    expect(await stopped('100ms')).toMatchObject({ ok: false, reason: 'timeout' });
    const sending = stopped('60s');
    server.tmux('send-keys', '-t', server.pane, 'C-q');
    expect(await sending).toMatchObject({ ok: true });
  });
});

describe('a terminal that takes nothing', () => {
  const placeOf = (tty: string): Place => ({ ...NOWHERE, tty, terminal: 'foot' });
  /** Long enough to be cut. */
  const long = (tty: string, id = 'ntf_1') =>
    messageOf({ title: 'x'.repeat(240), body: 'y'.repeat(480), event: eventAt(placeOf(tty)) }, { notificationId: id });

  test('holds up no other, and what waits for it ends with its own signal', async () => {
    const [stuck, free] = [await startTmux({ program: 'stty -F "$(tty)" ixon; sleep 3600' }), await startTmux()];
    stuck.tmux('send-keys', '-t', stuck.pane, 'C-s');
    const channel = terminal.open(terminal.schema.parse({}), tools);
    const brief = { ...at, timeoutMs: 100 };
    await until(async () => !(await channel.send(long(stuck.tty), brief)).ok, 'it to be stopped');
    const ended: string[] = [];
    const control = new AbortController();
    const first = channel.send(long(stuck.tty, 'ntf_1'), at).then((outcome) => {
      ended.push('stuck');
      return outcome;
    });
    const second = channel.send(long(stuck.tty, 'ntf_2'), { ...at, signal: control.signal }).then((outcome) => {
      ended.push('cancelled');
      return outcome;
    });
    expect(await channel.send(long(free.tty), at)).toMatchObject({ ok: true });
    ended.push('free');
    control.abort();
    expect(await second).toMatchObject({ ok: false, reason: 'timeout' });
    expect(await first).toMatchObject({ ok: false, reason: 'timeout' });
    expect(ended).toEqual(['free', 'cancelled', 'stuck']);
    await channel.close();
  });

  test('and took a part of a sequence: it is ended as soon as something goes in again', async () => {
    const server = await startTmux({ program: 'stty -F "$(tty)" raw; sleep 3600' });
    const pid = Number(server.tmux('display-message', '-p', '#{pid}'));
    const fd = openSync(server.tty, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
    onTestFinished(() => {
      process.kill(pid, 'SIGCONT');
      closeSync(fd);
    });
    const channel = terminal.open(terminal.schema.parse({}), tools);
    let tries = 0;
    /** How much room the system finds for it differs. */
    await until(async () => {
      process.kill(pid, 'SIGCONT');
      await until(() => writeAll(fd, '.') === 1, 'it to take something');
      process.kill(pid, 'SIGSTOP');
      const room = 50 + ((tries++ * 137) % 600);
      let filled = 0;
      while (writeAll(fd, '.'.repeat(100)) === 100) filled += 100;
      process.kill(pid, 'SIGCONT');
      await until(() => server.written().endsWith('.'.repeat(filled)), 'it to be empty');
      process.kill(pid, 'SIGSTOP');
      for (let left = filled - room; left > 0; left -= 100)
        if (writeAll(fd, '.'.repeat(Math.min(left, 100))) === 0) break;
      const outcome = await channel.send(long(server.tty), { ...at, timeoutMs: 50 });
      return !outcome.ok && outcome.unknown === true;
    }, 'a part to be taken');
    process.kill(pid, 'SIGCONT');
    await until(() => /\x1b\]777;[^\x07\x1b]*\x07\x1b\\$/.test(server.written()), 'the end of the sequence');
    expect(await channel.send(long(server.tty), at)).toMatchObject({ ok: true });
    await channel.close();
  });

  /** How much of it was taken; 0: it is full. */
  function writeAll(fd: number, text: string): number {
    try {
      return writeSync(fd, text);
    } catch {
      return 0;
    }
  }
});

describe('sequences', () => {
  test.each(hostile.map((text) => [JSON.stringify(text).slice(0, 60), text]))('%s', (_name, text) => {
    const note = toNote(messageOf({ title: text, body: text }));
    for (const sequence of ['osc9', 'osc777', 'osc99'] as const) {
      const shown = showSequence(sequence, note);
      const parts = shown.split('\x1b\\').slice(0, -1);
      expect(parts.length).toBe(sequence === 'osc99' && note.body !== '' ? 2 : 1);
      for (const part of parts)
        expect(part).toMatch(
          /^\x1b\](?:9;\D|777;notify;[^;]+;|99;i=ntf_1:[\w=:]+;[\w+/]+={0,2}$)[^\x00-\x1f\x7f-\x9f]*$/,
        );
      expect(Buffer.byteLength(shown)).toBeLessThan(2_000);
    }
    expect(throughTmux(showSequence('osc9', note))).toMatch(
      /^\x1bPtmux;\x1b\x1b\]9;[^\x00-\x1f\x7f-\x9f]+\x1b\x1b\\\x1b\\$/,
    );
  });

  test.each([
    ['xterm-kitty', 'osc99'],
    ['kitty(0.35.2)', 'osc99'],
    ['foot-extra', 'osc777'],
    ['xterm-ghostty', 'osc777'],
    ['ghostty 1.1.0', 'osc777'],
    ['WezTerm', 'osc777'],
    ['rxvt-unicode-256color', 'osc777'],
    ['WarpTerminal', 'osc777'],
    ['iTerm2 3.5.0', 'osc9'],
    ['Windows_Terminal', 'osc9'],
    ...[
      '',
      'xterm',
      'xterm-256color',
      'linux',
      'screen',
      'zellij',
      'tmux-256color',
      'vscode',
      'Apple_Terminal',
      'dumb',
      'footer',
    ].map((name) => [name, null] as const),
  ] as const)('%s: %s', (name, expected) => {
    expect(sequenceOf(name)).toBe(expected);
  });
});

test('a badge keeps the latest twenty, and reads nothing that is not its own', () => {
  expect([...readBadges('ntf_1=waiting x #(id)=waiting ntf_2=bold ntf_3=finished')]).toEqual([
    ['ntf_1', 'waiting'],
    ['ntf_3', 'finished'],
  ]);
  let open = readBadges('');
  for (let i = 0; i < 25; i++) open = withBadge(open, `ntf_${i}`, 'waiting');
  expect([...open.keys()]).toHaveLength(20);
  expect(badgeCommand('%1', withBadge(readBadges('ntf_1=failed'), 'ntf_1', null))).toEqual([
    'set-option',
    '-pqu',
    '-t',
    '%1',
    '@belfry_open',
    ';',
    'set-option',
    '-pqu',
    '-t',
    '%1',
    '@belfry',
  ]);
});

test.each([
  ['taken', true, { ok: true, answer: "handed to the agent's client" }],
  ['not taken', false, { ok: false, reason: 'client' }],
] as const)('handed to the client and %s', async (_name, taken, expected) => {
  const handed: unknown[] = [];
  const offer = async (key: string, text: string): Promise<boolean> => {
    handed.push([key, text]);
    return taken;
  };
  const event = eventAt({ ...NOWHERE, terminal: 'ghostty' }, { host: 'elsewhere' });
  const message = messageOf({ event });
  const channel = (more: object) => terminal.open(terminal.schema.parse(more), { ...tools, clients: { offer } });
  expect(await channel({}).send(message, at)).toMatchObject({ ok: false, reason: 'client' });
  expect(handed).toEqual([]);
  expect(await channel({ by_client: true }).send(message, at)).toMatchObject(expected);
  expect(handed).toEqual([[message.threadKey, `${showSequence('osc777', toNote(message))}\x07`]]);
});

test('settings that show nothing are refused', () => {
  expect(terminal.schema.safeParse({ bell: false, sequence: 'none', tmux: false }).success).toBe(false);
  expect(terminal.schema.safeParse({ sequence: 'osc8' }).success).toBe(false);
});

test('`check` says where tmux keeps notifications to itself', async () => {
  const server = await startTmux();
  const env = { ...tools.env, TMUX: `${server.socket},1,0`, TMUX_PANE: server.pane };
  const check = () => terminal.check(terminal.schema.parse({}), { ...tools, env });
  expect((await check()).map(({ level }) => level)).toEqual(['ok', 'warn']);
  server.tmux('set', '-g', 'allow-passthrough', 'on');
  expect((await check()).map(({ level }) => level)).toEqual(['ok']);
});
