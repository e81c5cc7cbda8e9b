// What it costs a delivery that presence is asked: with a tmux pane and an X11 display, against the same without.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { openHome, startDaemon, startReceiver, timeHook, until } from '../home.ts';
import { type Measure, quantile, type Section, spread } from '../measure.ts';

/** A display and a pane in which nobody looks; `env`: as a program in that pane has it. */
interface Desk {
  readonly env: NodeJS.ProcessEnv;
  readonly close: () => void;
}

const settings = (url: string): string => `[channels.bench]
type = "webhook"
url = "${url}"
allow_private = true

[[routes]]
match = { agent = "generic", session = "asked-*" }
to = ["bench"]
when = "away"

[[routes]]
to = ["bench"]
`;

/** Null: a program that is needed is not installed. */
async function openDesk(folder: string): Promise<Desk | null> {
  const socket = join(folder, 'tmux');
  const tmux = (...words: readonly string[]): string =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], { encoding: 'utf8' }).trim();
  let display: ChildProcess | undefined;
  const close = (): void => {
    display?.kill();
    try {
      tmux('kill-server');
    } catch {
      // it was never there
    }
  };
  try {
    execFileSync('sh', ['-c', 'command -v tmux Xvfb xdotool xprintidle'], { stdio: 'ignore' });
    display = spawn('Xvfb', ['-displayfd', '3', '-noreset'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    let number = '';
    display.stdio[3]?.on('data', (chunk: Buffer) => {
      number += chunk;
    });
    await until(() => number.endsWith('\n'));
    tmux('new-session', '-d', 'sleep 3600');
    const [pane = '', pid = ''] = tmux('display-message', '-p', '#{pane_id} #{pid}').split(' ');
    const env = { DISPLAY: `:${number.trim()}`, TMUX: `${socket},${pid},0`, TMUX_PANE: pane };
    return { env, close };
  } catch {
    close();
    return null;
  }
}

async function presence(full: boolean): Promise<Measure[]> {
  const receiver = await startReceiver();
  const home = openHome(settings(receiver.url));
  const desk = await openDesk(home.folder);
  if (desk === null) {
    receiver.close();
    home.remove();
    return [];
  }
  const daemon = await startDaemon({ ...home, env: { ...home.env, DISPLAY: desk.env['DISPLAY'] } });
  try {
    const inPane = { ...home, env: { ...home.env, ...desk.env } };
    const toReceiver = async (session: string): Promise<number> =>
      (await timeHook(inPane, receiver, ['/bin/sh', '-c', home.command('fast')], session))[1];
    const [asked, plain]: [number[], number[]] = [[], []];
    for (let i = 0; i < (full ? 200 : 40); i++) {
      plain.push(await toReceiver(`plain-${i}`));
      // What was found holds for a second: each is asked anew.
      await new Promise((resolve) => setTimeout(resolve, 1_050));
      asked.push(await toReceiver(`asked-${i}`));
    }
    const added = asked.map((ms) => ms - quantile(plain, 0.5));
    const met = quantile(added, 0.95) <= 150;
    return [
      spread('presence', "hook's end to receiver, not asked", 'ms', plain),
      spread('presence', "hook's end to receiver, asked", 'ms', asked),
      spread('presence', 'added by asking', 'ms', added, { goal: 'p95 <= 150', met }),
    ];
  } finally {
    await daemon.stop();
    desk.close();
    receiver.close();
    home.remove();
  }
}

export const PRESENCE_SECTIONS: readonly Section[] = [
  {
    name: 'presence',
    about:
      'A session in a tmux pane on an X11 display: one notification on a route with `when = "away"`, one without, in turn. None where tmux, Xvfb, xdotool or xprintidle is missing.',
    run: ({ full }) => presence(full),
  },
];
