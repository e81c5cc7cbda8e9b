// A Wayland desktop of its own: sway without a screen, as another user where the tests run as root, which it refuses.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from './remove-folder.ts';
import { until } from './wait.ts';

/** The user `nobody` of Debian. */
const NOBODY = 65_534;

/** One that runs. */
export interface SwayDesktop {
  /** Starts a terminal by these words, which end in what runs in it, and resolves with the pid of that. */
  readonly open: (name: string, ...terminal: readonly string[]) => Promise<number>;
  /** Its own commands, such as `workspace 2`. */
  readonly command: (...words: readonly string[]) => string;
  /** A path for a file that programs of this desktop may write. */
  readonly path: (name: string) => string;
  readonly close: () => Promise<void>;
}

/** Starts it; `close` it. Needs sway. */
export async function startSway(): Promise<SwayDesktop> {
  const folder = mkdtempSync(join(tmpdir(), 'sway-'));
  const run = join(folder, 'run');
  mkdirSync(run, { mode: 0o700 });
  const config = join(folder, 'config');
  writeFileSync(config, 'output HEADLESS-1 resolution 800x600\n');
  chmodSync(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const path of [folder, run, config]) chownSync(path, NOBODY, NOBODY);
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    XDG_RUNTIME_DIR: run,
    WLR_BACKENDS: 'headless',
    WLR_RENDERER: 'pixman',
    WLR_LIBINPUT_NO_DEVICES: '1',
    LIBGL_ALWAYS_SOFTWARE: '1',
  };
  const sway: ChildProcess = spawn('sway', ['-c', config], {
    env,
    stdio: 'ignore',
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  const close = async (): Promise<void> => {
    const gone = new Promise((resolve) => sway.once('exit', resolve));
    if (sway.exitCode === null && sway.kill()) await gone;
    await removeFolder(folder);
  };
  try {
    const socket = await until(() => {
      if (sway.exitCode !== null) throw new Error('sway did not start');
      return readdirSync(run).find((name) => name.startsWith('sway-ipc'));
    }, 'sway');
    const command = (...words: readonly string[]): string =>
      execFileSync('swaymsg', ['-s', join(run, socket), ...words], { env, encoding: 'utf8' });
    await until(() => readdirSync(run).some((name) => /^wayland-\d+$/.test(name)), 'the display');
    const path = (name: string): string => join(folder, name);
    return {
      open: async (name, ...terminal) => {
        // sway makes one dollar sign of two.
        command(`exec ${terminal.join(' ')} sh -c 'echo $$$$ > ${path(name)}; exec sleep 600'`);
        await until(() => existsSync(path(name)) && readFileSync(path(name), 'utf8').includes('\n'), name, 60_000);
        return Number(readFileSync(path(name), 'utf8'));
      },
      command,
      path,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
