// The texts for each service manager, checked by the manager's own verifier where it is here, and the command where none runs.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync, readFileSync, chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mechanismFor } from '../../installers/service/index.ts';
import type { ServiceSpec } from '../../installers/service/mechanism.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry } from '../support/programs.ts';

const spec: ServiceSpec = {
  node: '/opt/my node/bin/node',
  program: '/opt/100% "odd" $HOME \\ & <b>/dist/belfry.js',
  home: '/home/zoë',
  env: { BELFRY_HOME: '/home/zoë/my "belfry" 50%' },
  envFile: '/home/zoë/.config/belfry/service.env',
  uid: 1000,
  configHome: '/home/zoë/.config',
};

describe('texts', () => {
  test('systemd', () => {
    const systemd = mechanismFor('linux');
    expect(systemd?.file(spec)).toBe('/home/zoë/.config/systemd/user/belfry.service');
    const text = String(systemd?.text(spec));
    const program = '/usr/bin/env "/opt/my node/bin/node" "/opt/100%% \\"odd\\" $$HOME \\\\ & <b>/dist/belfry.js"';
    expect(text).toContain(`\nExecStart=${program} daemon\n`);
    expect(text).toContain(`\nExecStartPost=${program} service ready\n`);
    expect(text).toContain('\nEnvironment="BELFRY_HOME=/home/zoë/my \\"belfry\\" 50%%"\n');
  });

  test('launchd', () => {
    const launchd = mechanismFor('darwin');
    expect(launchd?.file(spec)).toBe('/home/zoë/Library/LaunchAgents/belfry.daemon.plist');
    const text = String(launchd?.text(spec));
    expect(text).toContain(
      '<string>/opt/100% "odd" $HOME \\ &amp; &lt;b&gt;/dist/belfry.js</string>\n    <string>daemon</string>',
    );
    expect(launchd?.enable(spec)).toEqual([['launchctl', 'bootstrap', 'gui/1000', launchd?.file(spec)]]);
  });

  test('Windows', () => {
    const task = mechanismFor('win32');
    const at = {
      ...spec,
      node: 'C:\\Program Files\\nodejs\\node.exe',
      program: 'C:\\Users\\Zoë & Co\\belfry.js',
      configHome: 'C:\\local',
    };
    expect(task?.file(at)).toBe('C:\\local\\belfry\\task.xml');
    const bytes = Buffer.from(task?.text(at) ?? '');
    expect(bytes.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xfe]));
    const text = bytes.toString('utf16le');
    expect(text).toContain(
      '<Arguments>--headless "C:\\Program Files\\nodejs\\node.exe" "C:\\Users\\Zoë &amp; Co\\belfry.js" daemon</Arguments>',
    );
    expect(text.match(/\n/g)?.length).toBe(text.match(/\r\n/g)?.length);
  });
});

test('systemd itself accepts the unit', () => {
  const verifier = spawnSync('systemd-analyze', ['--version']);
  if (verifier.error) return expect(mechanismFor('linux')?.text(spec)).toContain('[Service]'); // no verifier on this machine
  const folder = temporaryFolder();
  const program = join(folder, 'a "b" 5% $c');
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o755);
  const file = join(folder, 'belfry.service');
  writeFileSync(file, mechanismFor('linux')?.text({ ...spec, node: program }) ?? '');
  const checked = spawnSync('systemd-analyze', ['--user', '--man=no', 'verify', file], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder, XDG_RUNTIME_DIR: folder },
  });
  expect(checked.stderr).not.toMatch(/belfry\.service/);
});

describe('the command, with a service manager of its own', () => {
  /** A systemctl that notes what it is asked, and answers like one with or without a manager. */
  function prepare(managerRuns: boolean): { home: string; env: Record<string, string>; asked: () => string[] } {
    const home = temporaryFolder();
    const bin = join(home, 'bin');
    mkdirSync(bin);
    const log = join(home, 'asked');
    const answer = managerRuns ? 'case "$*" in *is-active*) exit 3;; *) exit 0;; esac' : 'exit 1';
    writeFileSync(join(bin, 'systemctl'), `#!/bin/sh\necho "$*" >>'${log}'\n${answer}\n`);
    chmodSync(join(bin, 'systemctl'), 0o755);
    return {
      home,
      env: { PATH: `${bin}:${process.env['PATH']}`, HOME: home, BELFRY_HOME: join(home, 'b') },
      asked: () => readFileSync(log, 'utf8').trim().split('\n'),
    };
  }
  const linux = process.platform === 'linux';

  test('install, again, uninstall', async () => {
    if (!linux) return expect(mechanismFor(process.platform)).not.toBe(mechanismFor('linux'));
    const { home, env, asked } = prepare(true);
    const done = await belfry(home, ['service', 'install'], { env });
    expect(done).toMatchObject({ code: 0, stderr: '' });
    const file = join(home, '.config', 'systemd', 'user', 'belfry.service');
    expect(readFileSync(file, 'utf8')).toContain('[Service]');
    expect(asked()).toContain('--user enable belfry.service');
    expect((await belfry(home, ['service', 'install', '--json'], { env })).stdout).toContain('"action":"unchanged"');
    expect((await belfry(home, ['service', 'uninstall'], { env })).code).toBe(0);
    expect(asked().slice(-2)).toEqual(['--user disable --now belfry.service', '--user daemon-reload']);
    expect(existsSync(join(home, '.config'))).toBe(false);
    expect((await belfry(home, ['service', 'uninstall'], { env })).stdout).toBe('No service is installed.\n');
  });

  test('status: absent, stopped, running, outdated, and a manager that does not run', async () => {
    if (!linux) return expect(mechanismFor(process.platform)).not.toBe(mechanismFor('linux'));
    const { home, env } = prepare(true);
    const status = async () => {
      const ran = await belfry(home, ['service', 'status', '--json'], { env });
      return [ran.code, (JSON.parse(ran.stdout) as { state: string }).state];
    };
    const systemctl = (text: string): void => writeFileSync(join(home, 'bin', 'systemctl'), `#!/bin/sh\n${text}\n`);
    expect(await status()).toEqual([7, 'absent']);
    const absent = await belfry(home, ['service', 'status'], { env });
    expect(absent.stdout).toMatch(/^not installed, and not needed: .* `belfry service install` installs it\n$/);
    await belfry(home, ['service', 'install'], { env });
    expect(await status()).toEqual([7, 'stopped']);
    systemctl('exit 0');
    expect(await status()).toEqual([0, 'running']);
    const file = join(home, '.config', 'systemd', 'user', 'belfry.service');
    expect((await belfry(home, ['daemon', 'service', 'status'], { env })).stdout).toMatch(
      /^running as a systemd.*belfry\.service\n$/,
    );
    systemctl('exit 1');
    expect(await status()).toEqual([7, 'unmanaged']);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('belfry.js', 'belfry-old.js'));
    expect(await status()).toEqual([7, 'outdated']);
  });

  test('where no manager runs', async () => {
    if (!linux) return expect(mechanismFor(process.platform)).not.toBe(mechanismFor('linux'));
    const { home, env } = prepare(false);
    const refused = await belfry(home, ['service', 'install'], { env });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/no service manager is running .* a hook starts the daemon/);
    expect(readdirSync(home)).not.toContain('.config');
  });

  test('a unit of somebody else is left alone', async () => {
    if (!linux) return expect(mechanismFor(process.platform)).not.toBe(mechanismFor('linux'));
    const { home, env } = prepare(true);
    const folder = join(home, '.config', 'systemd', 'user');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'belfry.service'), '[Service]\nExecStart=/bin/true\n');
    const refused = await belfry(home, ['service', 'install'], { env });
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toMatch(/was not written by belfry/);
    await belfry(home, ['service', 'uninstall'], { env });
    expect(existsSync(join(folder, 'belfry.service'))).toBe(true);
  });
});
