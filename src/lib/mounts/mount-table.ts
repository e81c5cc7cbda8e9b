// Which file system a path lies on, from the system's list of mounts alone: the path itself is never touched.

/** One mounted file system. */
export interface Mount {
  /** Different for each file system of this machine. */
  readonly id: string;
  readonly type: string;
  /** It answers for itself: no server, no other program. What is not known to is not. */
  readonly isLocal: boolean;
}

/** The mount of a whole path without links in it; null: not known. */
export type MountOf = (path: string) => Mount | null;

/** Their files are on disks and in memory of this machine. Everything else may depend on a server or a program, those not known too. */
const LOCAL: ReadonlySet<string> = new Set(
  (
    'ext2 ext3 ext4 xfs btrfs zfs f2fs bcachefs jfs reiserfs nilfs2 tmpfs devtmpfs ramfs rootfs overlay aufs squashfs erofs ' +
    'vfat exfat msdos ntfs ntfs3 hfs hfsplus apfs ufs iso9660 udf ecryptfs'
  ).split(' '),
);

interface Entry {
  readonly id: string;
  readonly parent: string;
  readonly point: string;
  readonly mount: Mount;
}

/** Reads /proc/self/mountinfo. A mount counts below the one that it was mounted on, so what lies hidden below another does not. */
export function parseMountInfo(text: string): MountOf {
  const entries = text.split('\n').flatMap((line) => mountInfoEntry(line) ?? []);
  const ids = new Set(entries.map(({ id }) => id));
  const root = entries.find(({ id, parent, point }) => point === '/' && (parent === id || !ids.has(parent)));
  const below = new Map<string, Entry>();
  for (const entry of entries) if (entry !== root) below.set(`${entry.parent} ${entry.point}`, entry);
  return (path) => {
    if (root === undefined || !path.startsWith('/')) return null;
    let at = topmost(root, '/', below);
    let point = '';
    for (const name of path.split('/').filter(Boolean)) {
      point += `/${name}`;
      at = topmost(at, point, below);
    }
    return at.mount;
  };
}

/** The mount that is seen at this point: another may lie over it, and one over that. */
function topmost(from: Entry, point: string, below: ReadonlyMap<string, Entry>): Entry {
  let at = from;
  for (let step = 0; step < below.size; step++) {
    const next = below.get(`${at.id} ${point}`);
    if (next === undefined || next === at) break;
    at = next;
  }
  return at;
}

/** `36 35 98:0 /root /mount/point rw,noatime shared:1 - ext4 /dev/sda1 rw` */
function mountInfoEntry(line: string): Entry | null {
  const [before = '', after = ''] = cutAt(line, ' - ');
  const [id, parent, device, , point] = before.split(' ');
  const [type] = after.split(' ');
  if (!id || !parent || !device || !point?.startsWith('/') || !type) return null;
  return { id, parent, point: unescaped(point), mount: { id: device, type, isLocal: LOCAL.has(type) } };
}

function cutAt(text: string, separator: string): readonly [string, string] | readonly [] {
  const at = text.indexOf(separator);
  return at < 0 ? [] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Space, tab, line end and backslash are written as three octal digits. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

/** Names in another case, or composed otherwise, are the same there. */
const folded = (path: string): string => path.normalize('NFC').toLowerCase();

/** Reads what `mount` prints on macOS: `/dev/disk3s1 on / (apfs, local, journaled)`. */
export function parseMountOutput(text: string): MountOf {
  const points = new Map<string, Mount>();
  for (const line of text.split('\n')) {
    const [, named = '', options = ''] = /^(.*) \(([^()]*)\)$/.exec(line) ?? [];
    const [type = '', ...flags] = options.split(', ');
    const found = [...named.matchAll(/ on (?=\/)/g)].map(({ index, 0: { length } }) => named.slice(index + length));
    for (const point of found) {
      // A name with " on /" in it can be read in two ways: neither is trusted.
      const isLocal = found.length === 1 && LOCAL.has(type) && flags.includes('local');
      points.set(folded(point), { id: `${type} ${point}`, type, isLocal });
    }
  }
  return (path) => (path.startsWith('/') ? longest(points, folded(path)) : null);
}

function longest(points: ReadonlyMap<string, Mount>, path: string): Mount | null {
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const found = points.get(at);
    if (found !== undefined) return found;
  }
  return points.get('/') ?? null;
}

/** Fixed disks and disks in memory, as Win32_LogicalDisk numbers its kinds. */
const FIXED: ReadonlySet<unknown> = new Set([3, 6]);

/** Reads `Get-CimInstance Win32_LogicalDisk | Select DeviceID,DriveType | ConvertTo-Json`. A path of another machine has no drive: not known. */
export function parseDrives(text: string): MountOf {
  const kinds = new Map<string, unknown>();
  for (const row of rowsIn(text)) {
    const { DeviceID: drive, DriveType: kind } = Object(row) as Record<string, unknown>;
    if (typeof drive === 'string') kinds.set(drive.toUpperCase(), kind);
  }
  return (path) => {
    const drive = /^(?:[\\/]{2}\?[\\/])?([A-Za-z]:)[\\/]/.exec(path)?.[1]?.toUpperCase();
    if (drive === undefined) return null;
    return { id: drive, type: `drive ${String(kinds.get(drive) ?? 'unknown')}`, isLocal: FIXED.has(kinds.get(drive)) };
  };
}

function rowsIn(text: string): readonly unknown[] {
  try {
    const rows: unknown = JSON.parse(text);
    return Array.isArray(rows) ? rows : [rows];
  } catch {
    return []; // PowerShell printed something else: no drive is known
  }
}
