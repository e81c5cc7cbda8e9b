// Real terminals: kitty on a desktop of its own, and foot under a compositor there, show what the channel writes, alone and through tmux, and
// nothing is printed on their screens.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { terminal } from '../../src/channels/terminal.ts';
import type { Event } from '../../src/model/event/event.ts';
import { HERE } from '../../src/model/session/whereabouts.ts';
import type { Place } from '../../src/model/session/place.ts';
import hostile from '../fixtures/hostile.json' with { type: 'json' };
import { deliver, eventOf, messageOf, toolsOf } from '../contracts/channel.ts';
import { needs } from '../support/needs.ts';
import { startTmux } from '../support/tmux-server.ts';
import { startVirtualDesktop, type VirtualDesktop } from '../support/virtual-desktop.ts';
import { until } from '../support/wait.ts';

const tools = toolsOf({ env: { PATH: process.env['PATH'] ?? '' }, platform: 'linux' });
const NOWHERE: Place = {
  terminal: null,
  tty: null,
  tmux: null,
  windowId: null,
  paneId: null,
  display: null,
  ssh: null,
};
const eventAt = (place: Partial<Place>): Event =>
  eventOf({ ...HERE, kind: 'agent.waiting', place: { ...NOWHERE, ...place }, at: Date.now() });

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'belfry-term-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Started, and killed when the test has finished. */
function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(program, args, { env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** What runs in the terminal writes its device's path there. */
async function deviceIn(file: string): Promise<string> {
  await until(() => existsSync(file) && readFileSync(file, 'utf8').includes('\n'), 'the terminal to start', 60_000);
  return readFileSync(file, 'utf8').trim();
}

interface OpenTerminal {
  readonly tty: string;
  /** What it shows. */
  readonly screen: () => string;
}

async function openKitty(desktop: VirtualDesktop, command: readonly string[] = []): Promise<OpenTerminal> {
  const folder = temporary();
  const [file, socket] = [join(folder, 'tty'), `unix:${join(folder, 'kitty')}`];
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    LC_ALL: 'C.UTF-8',
    LIBGL_ALWAYS_SOFTWARE: '1',
    SHELL: '/bin/sh',
    KITTY_CONFIG_DIRECTORY: folder,
    XDG_RUNTIME_DIR: folder,
    ...desktop.env,
  };
  const run = command.length > 0 ? command.join(' ') : 'sleep 3600';
  const options = ['--config=NONE', '-o', 'allow_remote_control=yes', '--listen-on', socket];
  start('kitty', [...options, 'sh', '-c', `tty >'${file}'; exec ${run}`], env);
  const tty = await deviceIn(file);
  const screen = (): string => execFileSync('kitty', ['@', '--to', socket, 'get-text'], { env, encoding: 'utf8' });
  return { tty, screen };
}

describe('kitty', () => {
  async function startKitty(...command: readonly string[]) {
    const desktop = await startVirtualDesktop({ settings: '[global]\nnotification_limit = 5' });
    onTestFinished(() => desktop.close());
    return { desktop, ...(await openKitty(desktop, command)) };
  }

  test('shows title and body, and the changed one in its place', async (context) => {
    needs(context, ['kitty', 'Xvfb', 'dunst'], 'kitty libgl1-mesa-dri xvfb dunst');
    const { desktop, tty, screen } = await startKitty();
    const event = eventAt({ tty, terminal: 'xterm-kitty' });
    const sent = await deliver(
      terminal,
      {},
      messageOf({ title: 'payments: Claude asks', body: 'npm publish', event }),
      tools,
    );
    expect(sent).toMatchObject({ ok: true, answer: `osc99, bell on ${tty}` });
    await until(async () => (await desktop.displayed()) === 1, 'the notification');
    const change = messageOf({ title: 'payments: 2 ask', body: 'both', event }, { operation: 'update', revision: 2 });
    expect(await deliver(terminal, {}, change, tools, sent.ok ? sent.receipt : null)).toMatchObject({ ok: true });
    await until(async () => (await desktop.total()) >= 1, 'the change');
    const shown = await until(async () => {
      const all = await desktop.shown();
      return all.some(({ summary }) => summary === 'payments: 2 ask') && all;
    }, 'the changed one');
    expect(shown.map(({ summary, body }) => `${summary}: ${body}`)).toContain('payments: 2 ask: both');
    expect(screen().trim()).toBe('');
  });

  test(`${hostile.length} hostile texts leave its screen empty`, async (context) => {
    needs(context, ['kitty', 'Xvfb', 'dunst'], 'kitty libgl1-mesa-dri xvfb dunst');
    const { desktop, tty, screen } = await startKitty();
    for (const [index, text] of hostile.entries()) {
      const message = messageOf(
        { title: text, body: text, event: eventAt({ tty, terminal: 'xterm-kitty' }) },
        { notificationId: `ntf_${index}` },
      );
      expect(await deliver(terminal, { bell: false }, message, tools)).toMatchObject({ ok: true });
    }
    await until(async () => (await desktop.displayed()) > 0, 'notifications');
    expect(screen().trim()).toBe('');
    expect(existsSync('/tmp/belfry-pwned')).toBe(false);
  });

  test('shows what tmux hands on', async (context) => {
    needs(context, ['kitty', 'Xvfb', 'dunst', 'tmux'], 'kitty libgl1-mesa-dri xvfb dunst tmux');
    const server = await startTmux();
    server.tmux('set', '-g', 'allow-passthrough', 'on');
    const { desktop } = await startKitty('tmux', '-S', server.socket, 'attach');
    await until(() => server.tmux('list-clients').includes('kitty'), 'kitty to be attached');
    const message = messageOf({ title: 'through tmux', body: '', event: eventAt(server.place) });
    const sent = await deliver(terminal, {}, message, tools);
    expect(sent).toMatchObject({ ok: true, answer: `badge, osc99, bell on pane ${server.pane} of tmux` });
    await until(async () => (await desktop.displayed()) === 1, 'the notification');
    expect((await desktop.shown()).at(-1)?.summary).toBe('through tmux');
    expect(server.tmux('capture-pane', '-p', '-t', server.pane).trim()).toBe('');
  });
});

describe('foot', () => {
  /** A compositor and the terminal; what it hands to its program for notifications is a line each. */
  async function startFoot(...command: readonly string[]) {
    const folder = temporary();
    const [file, shown] = [join(folder, 'tty'), join(folder, 'shown')];
    mkdirSync(join(folder, 'run'), { mode: 0o700 });
    const notify = join(folder, 'notify');
    writeFileSync(notify, `#!/bin/sh\nprintf '%s|%s\\n' "$1" "$2" >>'${shown}'\n`, { mode: 0o755 });
    const config = join(folder, 'foot.ini');
    writeFileSync(config, `notify=${notify} \${title} \${body}\nnotify-focus-inhibit=no\n`);
    writeFileSync(shown, '');
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      LC_ALL: 'C.UTF-8',
      SHELL: '/bin/sh',
      XDG_RUNTIME_DIR: join(folder, 'run'),
      WAYLAND_DISPLAY: 'belfry',
    };
    // Without a screen of X it has no keyboard, which foot insists on.
    const desktop = await startVirtualDesktop({ server: false });
    onTestFinished(() => desktop.close());
    const options = ['--backend=x11-backend.so', '--use-pixman', '--socket=belfry', '--idle-time=0', '--no-config'];
    start('weston', options, { ...env, WAYLAND_DISPLAY: undefined, ...desktop.env });
    await until(() => existsSync(join(folder, 'run', 'belfry')), 'the compositor', 60_000);
    const run = command.length > 0 ? command.join(' ') : 'sleep 3600';
    start('foot', ['-c', config, 'sh', '-c', `tty >'${file}'; exec ${run}`], env);
    return { tty: await deviceIn(file), shown: () => readFileSync(shown, 'utf8').split('\n').filter(Boolean) };
  }

  test('shows title and body, whatever they hold', async (context) => {
    needs(context, ['foot', 'weston', 'Xvfb'], 'foot weston xvfb');
    const { tty, shown } = await startFoot();
    const event = eventAt({ tty, terminal: 'foot' });
    const message = messageOf({ title: 'payments: Claude; asks', body: 'npm publish; $(id)', event });
    expect(await deliver(terminal, {}, message, tools)).toMatchObject({ ok: true, answer: `osc777, bell on ${tty}` });
    await until(() => shown().includes('payments: Claude, asks|npm publish; $(id)'), 'the notification');
    for (const [index, text] of hostile.slice(0, 50).entries()) {
      const more = messageOf({ title: text, body: text, event }, { notificationId: `ntf_${index}` });
      expect(await deliver(terminal, {}, more, tools)).toMatchObject({ ok: true });
    }
    const last = messageOf({ title: 'last', body: 'one', event }, { notificationId: 'ntf_last' });
    await deliver(terminal, {}, last, tools);
    await until(() => shown().includes('last|one'), 'the last');
    expect(existsSync('/tmp/belfry-pwned')).toBe(false);
  });

  test('shows what tmux hands on', async (context) => {
    needs(context, ['foot', 'weston', 'Xvfb', 'tmux'], 'foot weston xvfb tmux');
    const server = await startTmux();
    server.tmux('set', '-g', 'allow-passthrough', 'on');
    const { shown } = await startFoot('tmux', '-S', server.socket, 'attach');
    await until(() => server.tmux('list-clients').includes('foot'), 'foot to be attached');
    const message = messageOf({ title: 'through tmux', body: 'the body', event: eventAt(server.place) });
    expect(await deliver(terminal, {}, message, tools)).toMatchObject({
      ok: true,
      answer: `badge, osc777, bell on pane ${server.pane} of tmux`,
    });
    await until(() => shown().includes('through tmux|the body'), 'the notification');
  });
});
