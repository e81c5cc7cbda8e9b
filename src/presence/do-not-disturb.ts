// Whether the person has switched on "do not disturb" on this desktop: what would be heard waits then. Unknown is off.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asObject, parseJson } from '../lib/json/json.ts';
import { runProgram } from '../lib/programs/run-program.ts';

/** All answers are in by then, ms. */
const LIMIT = 150;
/** Sounds of one moment share an answer, ms. */
const FRESH = 1_000;

interface Way {
  readonly desktop: RegExp;
  readonly words: readonly [program: string, ...args: string[]];
  readonly isOn: (text: string) => boolean;
}

const NOTIFICATIONS = 'org.freedesktop.Notifications';
const INHIBITED = [NOTIFICATIONS, '/org/freedesktop/Notifications', NOTIFICATIONS, 'Inhibited'];
/** Neither GNOME nor KDE: their servers have none of these. */
const OTHERS = /^(?!.*\b(?:gnome|kde)\b)/i;

/** How each notification server says it. */
const WAYS: readonly Way[] = [
  {
    desktop: /\bgnome\b/i,
    words: ['gsettings', 'get', 'org.gnome.desktop.notifications', 'show-banners'],
    isOn: (text) => text.trim() === 'false',
  },
  {
    desktop: /\bkde\b/i,
    words: ['busctl', '--user', '--auto-start=no', 'get-property', ...INHIBITED],
    isOn: (text) => text.trim() === 'b true',
  },
  { desktop: OTHERS, words: ['dunstctl', 'is-paused'], isOn: (text) => text.trim() === 'true' },
  { desktop: OTHERS, words: ['makoctl', 'mode'], isOn: (text) => text.split('\n').includes('do-not-disturb') },
  { desktop: OTHERS, words: ['swaync-client', '--get-dnd'], isOn: (text) => text.trim() === 'true' },
];

/** Reads ~/Library/DoNotDisturb/DB/Assertions.json of macOS: a focus is on while there is an assertion. */
export function isFocusOn(text: string): boolean {
  const [first] = [asObject(parseJson(text))['data']].flat();
  const records = asObject(first)['storeAssertionRecords'];
  return Array.isArray(records) && records.length > 0;
}

interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Unix ms. */
  readonly now: () => number;
}

/** Asks when it is called, and never rejects. */
export function createDoNotDisturb(machine: Machine): () => Promise<boolean> {
  let last: { readonly at: number; readonly answer: Promise<boolean> } | null = null;
  return () => {
    const at = machine.now();
    if (last === null || Math.abs(at - last.at) >= FRESH) last = { at, answer: ask(machine).catch(() => false) };
    return last.answer;
  };
}

async function ask({ platform, env, home }: Machine): Promise<boolean> {
  if (platform === 'darwin')
    return isFocusOn(await readFile(join(home, 'Library/DoNotDisturb/DB/Assertions.json'), 'utf8'));
  if (platform !== 'linux') return false;
  const desktop = env['XDG_CURRENT_DESKTOP'] ?? '';
  const answers = WAYS.filter((way) => way.desktop.test(desktop)).map(async ({ words: [program, ...args], isOn }) => {
    const { code, stdout } = await runProgram({ program, args, env: { ...env }, limit: LIMIT });
    return code === 0 && isOn(stdout);
  });
  return (await Promise.all(answers)).includes(true);
}
