// Windows: the time without input, a locked screen, and the program in front, all from one run of PowerShell. It often takes longer than there is
// time for; then nothing is known.
import { asObject, parseJson } from '../lib/json/json.ts';
import type { Place } from '../model/session/place.ts';
import { defineDetector, type Finding, looking, type Run, type Subject } from './shared/detector.ts';
import { idleOnDesktop } from './shared/idle-finding.ts';

const TYPES =
  '[DllImport("user32.dll")] public static extern IntPtr GetForegroundWindow();' +
  '[DllImport("user32.dll")] public static extern uint GetWindowThreadProcessId(IntPtr h, out uint p);' +
  '[DllImport("user32.dll")] public static extern bool GetLastInputInfo(ref Last l);' +
  'public struct Last { public uint size; public uint time; }';

/** Prints {"idle": MS, "front": "NAME"}. */
export const SCRIPT = [
  `Add-Type -Namespace Belfry -Name User -MemberDefinition '${TYPES}';`,
  '$l = New-Object Belfry.User+Last; $l.size = 8; [void][Belfry.User]::GetLastInputInfo([ref]$l);',
  '$p = [uint32]0; [void][Belfry.User]::GetWindowThreadProcessId([Belfry.User]::GetForegroundWindow(), [ref]$p);',
  '$idle = ([int64][Environment]::TickCount - [int64]$l.time) -band 4294967295;',
  '@{ idle = $idle; front = (Get-Process -Id $p).ProcessName } | ConvertTo-Json -Compress',
].join(' ');

/** What it says; null: it says nothing of it. `idle` in ms. */
export function parseWindows(text: string): { readonly idle: number | null; readonly front: string | null } {
  const { idle, front } = asObject(parseJson(text));
  return {
    idle: typeof idle === 'number' ? idle : null,
    front: typeof front === 'string' && front !== '' ? front.slice(0, 60) : null,
  };
}

/** What has the focus while the screen is locked. */
export const isLockScreen = (front: string | null): boolean => /^(?:LockApp|LogonUI)$/i.test(front ?? '');

const EDITORS = /^(?:Code|Cursor|Windsurf|VSCodium)/i;

/** The program of the session's terminal; null: not known. */
function programOf({ terminal, paneId }: Pick<Place, 'terminal' | 'paneId'>): RegExp | null {
  if (terminal === 'vscode') return EDITORS;
  if (terminal === 'WezTerm') return /^wezterm/i;
  return terminal === null && paneId !== null ? /^WindowsTerminal/i : null;
}

/** Another program in front: not looking. That program: unknown, since it may show another tab. */
export function judgeWindowsFront(front: string | null, place: Pick<Place, 'terminal' | 'paneId'>): readonly Finding[] {
  const own = programOf(place);
  if (front === null || own === null || isLockScreen(front)) return [];
  if (own.test(front)) return [looking('unknown', `${front} is in front, but any of its tabs may be`)];
  return [looking('no', `${front} is in front`)];
}

const applies = ({ platform, place }: Subject): boolean => platform === 'win32' && place.ssh === null;

/** One run answers all three. */
const ask = async (run: Run) =>
  parseWindows((await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', SCRIPT])) ?? '');

export const windowsLocked = defineDetector({
  name: 'windows-locked',
  about: ['locked'],
  applies,
  detect: async (_subject, run) =>
    isLockScreen((await ask(run)).front) ? [{ about: 'locked', answer: 'yes', evidence: 'the screen is locked' }] : [],
});

export const windowsFront = defineDetector({
  name: 'windows-front',
  about: ['looking'],
  applies,
  detect: async ({ place }, run) => judgeWindowsFront((await ask(run)).front, place),
});

export const windowsIdle = defineDetector({
  name: 'windows-idle',
  about: ['idle'],
  applies,
  detect: async (subject, run) => idleOnDesktop((await ask(run)).idle, subject),
});
