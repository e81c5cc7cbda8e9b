// macOS: the time without input, a locked screen, and the application in front.
import { defineDetector, type Finding, looking, type Subject } from './shared/detector.ts';
import { idleOnDesktop } from './shared/idle-finding.ts';

/** Reads HIDIdleTime, nanoseconds, of `ioreg -c IOHIDSystem -d 4`; null: it is not there. In ms. */
export function hidIdle(text: string): number | null {
  const found = /"HIDIdleTime" = (\d{1,20})/.exec(text)?.[1];
  return found === undefined ? null : Math.floor(Number(found) / 1_000_000);
}

/** Whether `ioreg -n Root -d 1` says that the screen is locked. */
export const isScreenLocked = (text: string): boolean => /"CGSSessionScreenIsLocked"\s*=\s*Yes/.test(text);

/** Reads the name of `lsappinfo info -only name $(lsappinfo front)`: `"LSDisplayName"="Terminal"`. */
export const frontApplication = (text: string): string | null =>
  /"(?:LSDisplayName|CFBundleName)"\s*=\s*"([^"]{1,200})"/.exec(text)?.[1] ?? null;

/** What TERM_PROGRAM calls an application, and what the system does. */
const APPLICATIONS: Readonly<Record<string, RegExp>> = {
  Apple_Terminal: /^Terminal$/,
  'iTerm.app': /^iTerm2?$/,
  WezTerm: /^wezterm/i,
  ghostty: /^ghostty$/i,
  vscode: /^(?:Code|Visual Studio Code|Cursor|Windsurf)/,
};

/** Another application in front: not looking. That application: unknown, since it may show another tab. */
export function judgeFront(front: string | null, terminal: string | null): readonly Finding[] {
  const own = terminal === null ? undefined : APPLICATIONS[terminal];
  if (front === null || own === undefined) return [];
  if (own.test(front)) return [looking('unknown', `${front} is in front, but any of its tabs may be`)];
  return [looking('no', `${front} is in front`)];
}

const applies = ({ platform, place }: Subject): boolean => platform === 'darwin' && place.ssh === null;

export const macosIdle = defineDetector({
  name: 'macos-idle',
  about: ['idle'],
  applies,
  detect: async (subject, run) => {
    const text = await run('/usr/sbin/ioreg', ['-c', 'IOHIDSystem', '-d', '4']);
    return text === null ? [] : idleOnDesktop(hidIdle(text), subject);
  },
});

export const macosLocked = defineDetector({
  name: 'macos-locked',
  about: ['locked'],
  applies,
  detect: async (_subject, run) => {
    const text = await run('/usr/sbin/ioreg', ['-n', 'Root', '-d', '1']);
    return text !== null && isScreenLocked(text)
      ? [{ about: 'locked', answer: 'yes', evidence: 'the screen is locked' }]
      : [];
  },
});

export const macosFront = defineDetector({
  name: 'macos-front',
  about: ['looking'],
  applies: (subject) => applies(subject) && subject.place.tmux === null,
  detect: async ({ place }, run) => {
    const front = (await run('/usr/bin/lsappinfo', ['front']))?.trim() ?? '';
    if (!/^ASN:[\w:-]{1,64}$/.test(front)) return [];
    const text = await run('/usr/bin/lsappinfo', ['info', '-only', 'name', front]);
    return text === null ? [] : judgeFront(frontApplication(text), place.terminal);
  },
});
