// A desktop of its own: an X server without a screen, a session bus and a notification server. Nothing of the desktop of whoever runs the tests is
// inherited or touched; display number and bus address are free ones, and every process is ended with it.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeFolder } from './remove-folder.ts';
import { until } from './wait.ts';

const execute = promisify(execFile);

/** One notification as the server keeps it. */
export interface Shown {
  readonly id: number;
  readonly appname: string;
  readonly summary: string;
  readonly body: string;
  readonly urgency: string;
  readonly icon: string;
}

export interface VirtualDesktop {
  /** What a program on this desktop has: DISPLAY and DBUS_SESSION_BUS_ADDRESS. */
  readonly env: Readonly<Record<string, string>>;
  /** Every notification displayed so far, oldest first; closes what is on the screen. */
  shown(): Promise<Shown[]>;
  /** Number of notifications on the screen now. */
  displayed(): Promise<number>;
  /** Number of notifications displayed so far, on the screen or expired. */
  total(): Promise<number>;
  /** Does what a click on the notification on top does, or presses its only button. */
  press(): Promise<void>;
  /** Presses the button that says this, of those of the notification on top. */
  pressLabelled(label: string): Promise<void>;
  /** Writes a picture of the screen as PNG. */
  screenshot(path: string, ...options: string[]): Promise<void>;
  /** Stops the notification server in its tracks (SIGSTOP) or lets it go on. */
  hang(on: boolean): void;
  close(): Promise<void>;
}

interface Options {
  /** Sections added to the server's settings; what they say wins. */
  readonly settings?: string;
  /** `abstract`: a bus that is no file, as some distributions have it. */
  readonly bus?: 'file' | 'abstract';
  /** False: a bus without a notification server. */
  readonly server?: boolean;
  /** With a window manager: openbox. */
  readonly manager?: true;
  /** Width and height of the screen. */
  readonly size?: readonly [number, number];
}

const formats = ['low', 'normal', 'critical']
  .map((name) => `[urgency_${name}]\nformat = "${name} <b>%s</b>\\n%b"`)
  .join('\n');

/** Starts one; `close` it. Needs Xvfb, dbus-daemon and dunst. */
export async function startVirtualDesktop({
  settings = '',
  server = true,
  bus = 'file',
  manager,
  size = [900, 600],
}: Options = {}): Promise<VirtualDesktop> {
  const folder = mkdtempSync(join(tmpdir(), 'belfry-desktop-'));
  const base = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: folder, LANG: 'C.UTF-8' };
  const owned: ChildProcess[] = [];
  const close = async (): Promise<void> => {
    for (const child of owned.reverse()) await end(child);
    await removeFolder(folder);
  };
  /** Starts a program that writes something to descriptor 3 when it is ready. */
  const start = async (command: string, args: string[], env: NodeJS.ProcessEnv): Promise<string> => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    owned.push(child);
    let said = '';
    let failed = '';
    child.on('error', (error) => (failed = error.message));
    child.stdio[3]?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    return until(() => {
      if (failed !== '' || child.exitCode !== null) throw new Error(`${command} did not start ${failed}`);
      return said.includes('\n') && said.trim();
    }, `${command} to start`);
  };
  try {
    const number = await start(
      'Xvfb',
      ['-displayfd', '3', '-noreset', '-screen', '0', `${size[0]}x${size[1]}x24`, '-nolisten', 'tcp'],
      base,
    );
    const address = await start(
      'dbus-daemon',
      ['--session', '--nofork', '--print-address=3', `--address=unix:${bus === 'file' ? 'dir' : 'abstract'}=${folder}`],
      base,
    );
    const env = { ...base, DISPLAY: `:${number}`, DBUS_SESSION_BUS_ADDRESS: address };
    const ctl = async (...args: string[]): Promise<string> =>
      (await execute('dunstctl', args, { env, timeout: 10_000 })).stdout;
    if (manager) {
      owned.push(spawn('openbox', ['--sm-disable'], { env, stdio: 'ignore' }));
      const property = async (): Promise<string> =>
        (await execute('xprop', ['-root', '_NET_SUPPORTING_WM_CHECK'], { env })).stdout;
      await until(async () => (await property()).includes('#'), 'the window manager');
    }
    if (server) {
      mkdirSync(join(folder, 'dunst'));
      const config = join(folder, 'dunst', 'dunstrc');
      const menu = join(folder, 'menu');
      writeFileSync(menu, `#!/bin/sh\nexec grep -m 1 -F "#$(cat ${folder}/label) "\n`, {
        mode: 0o700,
      });
      writeFileSync(
        config,
        `[global]\ndmenu = ${menu}\nhistory_length = 1000\nnotification_limit = 0\nmarkup = full\n${formats}\n${settings}\n`,
      );
      owned.push(spawn('dunst', ['-config', config], { env, stdio: 'ignore' }));
      await until(
        () =>
          ctl('count').then(
            (out) => out.includes('Waiting'),
            () => false,
          ),
        'the notification server',
      );
    }
    const count = async (what: 'displayed' | 'history'): Promise<number> => Number((await ctl('count', what)).trim());
    const displayed = (): Promise<number> => count('displayed');
    return {
      env: { DISPLAY: env.DISPLAY, DBUS_SESSION_BUS_ADDRESS: address },
      displayed,
      total: async () => (await displayed()) + (await count('history')),
      press: async () => void (await ctl('action', '0')),
      pressLabelled: async (label) => {
        writeFileSync(join(folder, 'label'), label);
        await ctl('context'); // several buttons are shown as a menu, which the program of `dmenu` chooses from
      },
      shown: async () => {
        await ctl('close-all');
        await until(async () => (await displayed()) === 0, 'the screen to be empty');
        const { data } = JSON.parse(await ctl('history')) as { data: [Record<string, { data: unknown }>[]] };
        return data[0].reverse().map((n) => ({
          id: Number(n['id']?.data),
          appname: String(n['appname']?.data),
          summary: String(n['summary']?.data),
          body: String(n['body']?.data),
          // The server's answer does not name it; each urgency has a format of its own, which begins with its name.
          urgency: /^\w+/.exec(String(n['message']?.data))?.[0] ?? '',
          icon: String(n['icon_path']?.data),
        }));
      },
      screenshot: async (path, ...options) =>
        void (await execute('import', ['-window', 'root', ...options, path], { env, timeout: 30_000 })),
      hang: (on) => void owned.at(-1)?.kill(on ? 'SIGSTOP' : 'SIGCONT'),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGCONT');
  child.kill('SIGKILL');
  await gone;
}
