// The system's list of mounts: which file system a path lies on, and whether that answers for itself.
import { describe, expect, test } from 'vitest';
import { type MountOf, parseDrives, parseMountInfo, parseMountOutput } from '../../src/lib/mounts/mount-table.ts';

const MOUNTINFO = String.raw`
22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw,errors=remount-ro
23 22 0:21 / /proc rw,nosuid shared:12 - proc proc rw
24 22 0:5 / /dev rw,nosuid shared:2 - devtmpfs udev rw,size=8G
25 24 0:23 / /dev/shm rw,nosuid shared:3 - tmpfs tmpfs rw
30 22 0:28 / /tmp rw - tmpfs tmpfs rw
31 22 0:29 / /mnt/nas rw shared:30 master:2 - nfs4 nas:/export rw,vers=4.2,hard
32 31 259:3 / /mnt/nas/disk rw - xfs /dev/sdb1 rw
33 22 0:31 / /home/me/far\040away rw - fuse.sshfs me@far:/ rw,user_id=1000
34 22 0:32 / /net rw - autofs auto.net rw,fd=7,timeout=300
35 22 0:33 / /data rw - autofs systemd-1 rw,fd=52,direct
36 35 0:34 / /data rw - nfs nas:/data rw
37 22 0:35 / /share rw - cifs //nas/share rw
38 22 0:36 / /mnt/c rw - 9p C:\134 rw,aname=drvfs
39 22 0:37 / /var/lib/docker/overlay2/abc/merged rw - overlay overlay rw,lowerdir=/a:/b
40 22 259:2 /srv/work /work rw - ext4 /dev/nvme0n1p2 rw
41 22 0:29 /team /team rw - nfs4 nas:/export/team rw
42 22 0:40 / /hidden rw - ext4 /dev/sdc1 rw
43 42 0:41 / /hidden/below rw - ext4 /dev/sdd1 rw
44 22 0:42 / /hidden rw - fuse.rclone remote: rw
45 22 0:43 / /named/fuse.ext4 rw - fuse.ext4 /dev/x rw
46 22 0:44 / /new rw - weirdfs none rw
47 22 0:45 / /ntfs rw - fuseblk /dev/sde1 rw
48 22 0:46 / /back\134slash\011tab rw - virtiofs host rw
`;

describe('/proc/self/mountinfo', () => {
  const mountOf = parseMountInfo(MOUNTINFO);
  test.each<[path: string, type: string, isLocal: boolean]>([
    ['/', 'ext4', true],
    ['/home/me/src', 'ext4', true],
    ['/home/me/far away/src', 'fuse.sshfs', false],
    ['/home/me/far', 'ext4', true],
    ['/mnt', 'ext4', true],
    ['/mnt/nas', 'nfs4', false],
    ['/mnt/nas/src', 'nfs4', false],
    ['/mnt/nasty', 'ext4', true],
    ['/mnt/nas/disk/src', 'xfs', true],
    ['/net/server/export', 'autofs', false],
    ['/data/src', 'nfs', false],
    ['/share', 'cifs', false],
    ['/mnt/c/Users/me', '9p', false],
    ['/var/lib/docker/overlay2/abc/merged/app', 'overlay', true],
    ['/work/payments', 'ext4', true],
    ['/team/payments', 'nfs4', false],
    ['/hidden/below/src', 'fuse.rclone', false],
    ['/named/fuse.ext4/src', 'fuse.ext4', false],
    ['/new', 'weirdfs', false],
    ['/ntfs', 'fuseblk', false],
    ['/back\\slash\ttab/src', 'virtiofs', false],
    ['/proc/1/cwd', 'proc', false],
    ['/tmp/x', 'tmpfs', true],
    // Looked at on the way to what is below it.
    ['/dev', 'devtmpfs', true],
    ['/dev/shm/work', 'tmpfs', true],
  ])('%s lies on %s', (path, type, isLocal) => {
    expect(mountOf(path)).toMatchObject({ type, isLocal });
  });

  test('two views of one file system are one, and others are not', () => {
    expect(mountOf('/team/x')?.id).toBe(mountOf('/mnt/nas/x')?.id);
    expect(mountOf('/data/x')?.id).not.toBe(mountOf('/mnt/nas/x')?.id);
  });

  test('a container, whose root is mounted on what it cannot see', () => {
    const inside = parseMountInfo(
      '812 700 0:60 / / rw - overlay overlay rw\n813 812 0:61 / /workspaces rw - fakeowner x rw\n',
    );
    expect(inside('/workspaces/app')).toMatchObject({ type: 'fakeowner', isLocal: false });
    expect(inside('/home')).toMatchObject({ type: 'overlay', isLocal: true });
  });

  test('a root over a root: the upper counts', () => {
    const both = parseMountInfo('1 1 0:2 / / rw - rootfs rootfs rw\n22 1 0:30 / / rw - nfs nas:/root rw\n');
    expect(both('/home')).toMatchObject({ type: 'nfs', isLocal: false });
  });

  test.each<[what: string, text: string]>([
    ['nothing', ''],
    ['no root', '31 22 0:29 / /mnt rw - ext4 x rw\n'],
    [
      'not such a list',
      'ext4 / rw - - -\n\0\0\n - ext4\n22 1 259:2 / relative rw - ext4 x rw\n22 1 8:1 / / rw ext4 x\n',
    ],
    ['a mount on itself below no root', '5 5 0:1 / /x rw - ext4 x rw\n'],
  ])('%s: not known', (_what, text) => {
    expect(parseMountInfo(text)('/mnt/x')).toBeNull();
  });

  test('mounts that lie over each other in a circle, and thousands of them, come to an end', () => {
    const circle = parseMountInfo(
      '1 0 0:1 / / rw - ext4 x rw\n2 3 0:2 / / rw - ext4 x rw\n3 2 0:3 / / rw - ext4 x rw\n',
    );
    expect(circle('/x')?.id).toBe('0:1');
    const stack = Array.from({ length: 5_000 }, (_, i) => `${i + 1} ${i} 0:${i} / / rw - ext4 x rw`).join('\n');
    expect(parseMountInfo(stack)('/a/b/c')?.id).toBe('0:4999');
  });

  test('a path that is not whole has none', () => {
    expect(mountOf('src')).toBeNull();
    expect(mountOf('')).toBeNull();
  });
});

describe('mount on macOS', () => {
  const mountOf = parseMountOutput(
    [
      '/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)',
      'devfs on /dev (devfs, local, nobrowse)',
      '/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse)',
      'map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)',
      '//me@nas._smb._tcp.local/share on /Volumes/Team Share (smbfs, nodev, nosuid, mounted by me)',
      'nas:/export on /Volumes/export (nfs)',
      'me@far:/ on /Users/me/far (macfuse, nodev, nosuid, synchronous, mounted by me)',
      '/dev/disk5s1 on /Volumes/USB (exfat, local, nodev, nosuid, noowners)',
      'far: on /x on /Volumes/odd (apfs, local)',
      '/dev/disk9 on /Volumes/Remote (apfs, journaled)',
    ].join('\n'),
  );
  test.each<[path: string, isLocal: boolean]>([
    ['/Users/me/src', true],
    ['/Volumes/USB/src', true],
    ['/Volumes/Team Share/src', false],
    ['/volumes/team share/src', false],
    ['/Volumes/export', false],
    ['/Volumes/exports', true],
    ['/Users/me/far/src', false],
    ['/System/Volumes/Data/home/x', false],
    ['/Volumes/odd/src', false],
    ['/x on /Volumes/odd/src', false],
    ['/Volumes/Remote/src', false],
    ['/dev/fd/3', false],
  ])('%s', (path, isLocal) => {
    expect(mountOf(path)?.isLocal).toBe(isLocal);
  });

  test('a name that is composed otherwise is the same', () => {
    const composed = parseMountOutput('/dev/disk1 on / (apfs, local)\nnas:/x on /Volumes/Cafe\u0301 (nfs)\n');
    expect(composed('/Volumes/Caf\u00e9/src')?.isLocal).toBe(false);
  });

  test('nothing was printed: not known', () => {
    expect(parseMountOutput('')('/Users/me')).toBeNull();
  });
});

describe('drives of Windows', () => {
  const DRIVES = '[{"DeviceID":"C:","DriveType":3},{"DeviceID":"E:","DriveType":2},{"DeviceID":"Z:","DriveType":4}]';
  const mountOf: MountOf = parseDrives(DRIVES);
  test.each<[path: string, isLocal: boolean | undefined]>([
    ['C:\\Users\\me', true],
    ['c:/Users/me', true],
    ['\\\\?\\C:\\Users\\me', true],
    ['Z:\\team', false],
    ['E:\\stick', false],
    ['Q:\\gone', false],
    ['\\\\nas\\share\\src', undefined],
    ['\\\\?\\UNC\\nas\\share', undefined],
    ['//nas/share', undefined],
    ['\\\\.\\pipe\\x', undefined],
    ['C:relative', undefined],
    ['/home/me', undefined],
  ])('%s', (path, isLocal) => {
    expect(mountOf(path)?.isLocal).toBe(isLocal);
  });

  test.each(['', 'Get-CimInstance : Access denied', 'null', '{"DeviceID":7}', '[1,null,"x"]'])(
    '%j: no local one',
    (text) => {
      expect(parseDrives(text)('C:\\Users')?.isLocal).toBe(false);
    },
  );

  test('one drive alone is no list', () => {
    expect(parseDrives('{"DeviceID":"C:","DriveType":3}')('C:\\')?.isLocal).toBe(true);
  });
});
