// The mounts of this machine as they are now: from /proc on Linux, by `mount` on macOS, by CIM on Windows.
import { readFileSync } from 'node:fs';
import { outputOf } from '../programs/processes.ts';
import { type Mount, type MountOf, parseDrives, parseMountInfo, parseMountOutput } from './mount-table.ts';

/** The mount of a whole path without links in it, now. Never rejects; what cannot be found out is no local one. */
export type PresentMounts = (path: string) => Promise<Mount>;

const UNKNOWN: Mount = { id: 'unknown', type: 'unknown', isLocal: false };
const NOTHING: MountOf = () => null;

/** How long a list counts, ms: reading /proc costs a fraction of one, the others a program. */
const FRESH = { linux: 200, program: 10_000 } as const;
const DRIVES = 'Get-CimInstance Win32_LogicalDisk | Select-Object DeviceID,DriveType | ConvertTo-Json -Compress';

type Lister = readonly [program: string, args: readonly string[], parse: (text: string) => MountOf];

/** Neither looks at what is mounted. */
const LISTERS: Partial<Record<NodeJS.Platform, Lister>> = {
  darwin: ['/sbin/mount', [], parseMountOutput],
  win32: ['powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', DRIVES], parseDrives],
};

/** Reads nothing yet. `now`: Unix ms. */
export function createPresentMounts(platform: NodeJS.Platform, now: () => number): PresentMounts {
  const list = platform === 'linux' ? linuxLister() : programLister(platform);
  const fresh = platform === 'linux' ? FRESH.linux : FRESH.program;
  let known: { readonly at: number; readonly mounts: Promise<MountOf> } | null = null;
  return async (path) => {
    if (known === null || Math.abs(now() - known.at) > fresh) known = { at: now(), mounts: list() };
    return (await known.mounts)(path) ?? UNKNOWN;
  };
}

function linuxLister(): () => Promise<MountOf> {
  let last = { text: '', mounts: NOTHING };
  return async () => {
    try {
      const text = readFileSync('/proc/self/mountinfo', 'utf8'); // made by the kernel: it waits for no disk
      if (text !== last.text) last = { text, mounts: parseMountInfo(text) };
      return last.mounts;
    } catch {
      return NOTHING; // no /proc here
    }
  };
}

function programLister(platform: NodeJS.Platform): () => Promise<MountOf> {
  const lister = LISTERS[platform];
  if (lister === undefined) return async () => NOTHING;
  const [program, args, parse] = lister;
  return () => outputOf(program, args).then(parse, () => NOTHING); // not printed in time: nothing is known
}
