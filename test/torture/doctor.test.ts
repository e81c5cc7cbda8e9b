// Deliberate breakages: doctor names each one at the right check, and what it says to do fixes it.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';
import { type Clinic, clinic } from './clinic.ts';

interface Breakage {
  readonly name: string;
  readonly break: (c: Clinic) => unknown;
  /** The link that is named, and words of what is said. */
  readonly finds: readonly (readonly [check: string, text: RegExp])[];
  /** What a person does where the fix is no command; otherwise the command that the fix names is run. */
  readonly fix?: (c: Clinic, fixes: readonly string[]) => unknown;
}

const edit = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, 'utf8')));
const pidOf = (c: Clinic): number =>
  (JSON.parse(readFileSync(join(c.own, 'run', 'daemon.json'), 'utf8')) as { pid: number }).pid;
const killed = async (c: Clinic): Promise<void> => {
  const pid = pidOf(c);
  process.kill(pid, 'SIGKILL');
  await until(() => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  }, 'the daemon to be gone');
};
let good = '';
const keep = (file: string): void => {
  good = readFileSync(file, 'utf8');
};

/** The service's sandbox, and the settings that ask it with one of its keys. */
async function withService(c: Clinic, key: 'right' | 'wrong'): Promise<void> {
  const sandbox = spawn(join(c.home, 'bin', 'belfry'), ['sandbox', '--json'], {
    env: c.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void sandbox.kill('SIGKILL'));
  const line = await new Promise<string>((resolve) =>
    sandbox.stdout.once('data', (chunk: Buffer) => resolve(String(chunk))),
  );
  const { baseUrl, apiKey } = JSON.parse(line) as { baseUrl: string; apiKey: string };
  writeFileSync(join(c.home, 'key'), apiKey);
  const given = key === 'right' ? `file:${join(c.home, 'key')}` : 'fk-no-such-key';
  edit(c.config, (text) => `[api]\nbase_url = "${baseUrl}"\nkey = "${given}"\n\n${text}`);
}

const BREAKAGES: readonly Breakage[] = [
  {
    name: 'the settings file is no TOML',
    break: (c) => {
      keep(c.config);
      edit(c.config, (text) => `${text}\n[oops\n`);
    },
    finds: [['settings', /config\.toml:\d+:\d+: /]],
    fix: (c) => writeFileSync(c.config, good),
  },
  {
    name: 'an unknown setting',
    break: (c) => {
      keep(c.config);
      edit(c.config, (text) => `chanels = 1\n${text}`);
    },
    finds: [['settings', /config\.toml:1:1: chanels/]],
    fix: (c) => writeFileSync(c.config, good),
  },
  { name: 'no hooks', break: (c) => c.belfry('uninstall', 'claude'), finds: [['agents', /no hooks are installed/]] },
  {
    name: "the agent's settings are no JSON",
    break: (c) => {
      keep(c.settings);
      edit(c.settings, (text) => text.slice(0, -4));
    },
    finds: [['agents', /is not valid JSON \(line \d+, column \d+/]],
    fix: (c) => writeFileSync(c.settings, good),
  },
  {
    name: 'hooks of another Node',
    break: (c) => edit(c.settings, (text) => text.replaceAll(process.execPath, '/opt/gone/node')),
    finds: [['agents', /outdated hooks \(other version, install path or Node\) for Notification, Stop/]],
  },
  {
    name: 'one hook is gone',
    break: (c) => edit(c.settings, (text) => text.replace('"Stop": [', '"Stopped": [')),
    finds: [['agents', /no hook for Stop/]],
  },
  {
    name: 'a later key hides a hook',
    break: (c) => edit(c.settings, (text) => text.replace('"SessionEnd": [', '"Stop": [], "SessionEnd": [')),
    finds: [['agents', /Stop in .* has no effect/]],
  },
  {
    name: 'the client runs no hooks at all',
    break: (c) => edit(c.settings, (text) => text.replace('{', '{ "disableAllHooks": true,')),
    finds: [['agents', /the client ignores the hooks/]],
    fix: (c, [fix]) => {
      expect(fix).toContain('disableAllHooks');
      edit(c.settings, (text) => text.replace(' "disableAllHooks": true,', ''));
    },
  },
  {
    name: 'the client waits for consent',
    break: async (c) => {
      mkdirSync(join(c.home, '.codex'));
      await c.belfry('install', 'codex');
    },
    finds: [['agents', /Codex: the client ignores the hooks/]],
    fix: (c, [fix]) => {
      expect(fix).toContain('Trust all');
      const file = join(c.home, '.codex', 'hooks.json');
      const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as { hooks: Record<string, unknown> };
      const snake = (event: string): string =>
        event.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
      const keys = Object.keys(hooks).map(
        (event) => `[hooks.state."${file}:${snake(event)}:0:0"]\ntrusted_hash = "sha256:1"\n`,
      );
      writeFileSync(join(c.home, '.codex', 'config.toml'), keys.join('\n'));
    },
  },
  {
    name: 'the hook program is gone',
    break: (c) =>
      ['belfry-hook.sh', 'belfry-hook.cjs'].map((name) => unlinkSync(join(c.home, 'package', 'dist', name))),
    finds: [['hook', /submits nothing/]],
    fix: (c, [fix]) => {
      expect(fix).toContain('npm i -g belfry');
      c.installPackage();
    },
  },
  {
    name: 'hooks are switched off',
    break: (c) => void Object.assign(c.env, { BELFRY_DISABLE: '1' }),
    finds: [['hook', /BELFRY_DISABLE is set/]],
    fix: (c) => void delete c.env['BELFRY_DISABLE'],
  },
  { name: 'the daemon was killed', break: killed, finds: [['daemon', /no daemon is running/]] },
  {
    // In the background it would have been replaced.
    name: 'the daemon is of another installation, older, and kept in a terminal',
    break: (c) => {
      const other = { version: '0.0.1', program: '/opt/other/dist/daemon.js', supervisor: 'foreground' };
      edit(join(c.own, 'run', 'daemon.json'), (text) => JSON.stringify({ ...JSON.parse(text), ...other }));
    },
    finds: [['daemon', /the daemon is of another build \(0\.0\.1/]],
    fix: async (c, [fix = '']) => {
      expect(fix).toBe('end it in its terminal, then run `belfry start`');
      await c.sh('belfry stop; belfry start');
    },
  },
  {
    name: 'the socket is gone',
    break: (c) => unlinkSync(join(c.own, 'run', 'belfry.sock')),
    finds: [['socket', /does not answer/]],
  },
  {
    name: 'others may use the socket',
    break: (c) => chmodSync(join(c.own, 'run', 'belfry.sock'), 0o666),
    finds: [['socket', /other users can use/]],
  },
  {
    // Its folder, opened to others, is closed again by whoever connects: test/sources/foreign-socket.test.ts.
    name: 'others may use the socket',
    break: (c) => chmodSync(join(c.own, 'run', 'belfry.sock'), 0o666),
    finds: [['socket', /other users can use/]],
  },
  {
    name: 'the daemon hangs',
    break: (c) => process.kill(pidOf(c), 'SIGSTOP'),
    finds: [['socket', /listens but does not answer/]],
  },
  {
    name: 'a file stands where the spool was',
    break: (c) => {
      renameSync(join(c.own, 'spool'), join(c.own, 'gone'));
      writeFileSync(join(c.own, 'spool'), '');
    },
    finds: [['spool', /is not a folder/]],
  },
  {
    name: 'the spool is a link to somewhere else',
    break: (c) => {
      renameSync(join(c.own, 'spool'), join(c.own, 'gone'));
      symlinkSync('/tmp', join(c.own, 'spool'));
    },
    finds: [['spool', /is not a folder/]],
  },
  {
    name: 'the spool cannot be written',
    break: (c) => chmodSync(join(c.own, 'spool'), 0o500),
    finds: [['spool', /cannot be written/]],
  },
  {
    name: 'events wait and nobody takes them',
    break: async (c) => {
      await killed(c);
      const { hooks } = JSON.parse(readFileSync(c.settings, 'utf8')) as {
        hooks: { Stop: [{ hooks: [{ command: string }] }] };
      };
      await c.sh(hooks.Stop[0].hooks[0].command, '{"hook_event_name":"Stop","session_id":"s"}');
    },
    finds: [
      ['spool', /events waiting in the spool: 1/],
      ['daemon', /no daemon is running/],
    ],
  },
  {
    name: 'the journal is damaged',
    break: async (c) => {
      await c.belfry('stop');
      rmSync(join(c.own, 'state', 'belfry.db-wal'), { force: true });
      truncateSync(join(c.own, 'state', 'belfry.db'), 5_000);
    },
    finds: [
      ['daemon', /no daemon is running/],
      ['journal', /cannot be read/],
    ],
  },
  {
    name: 'a secret is not there',
    break: (c) => {
      keep(c.config);
      edit(c.config, (text) => text.replace('env:AUDIT_SECRET', 'env:NO_SUCH_NAME'));
    },
    finds: [['channels', /NO_SUCH_NAME is not set/]],
    fix: (c) => writeFileSync(c.config, good),
  },
  {
    name: 'an address that is refused',
    break: (c) => {
      keep(c.config);
      edit(c.config, (text) => text.replace('allow_private = true', ''));
    },
    finds: [['channels', /audit: .*private/]],
    fix: (c) => {
      writeFileSync(c.config, good);
    },
  },
  {
    name: 'a channel that stopped accepting',
    break: async (c) => {
      c.receiver.answer = () => 404;
      await c.belfry('send', 'x', '--kind', 'agent.finished');
      await until(async () => (await c.doctor()).length > 0, 'the channel to fail');
    },
    finds: [['channels', /audit: deliveries fail: /]],
    fix: async (c, [fix = '']) => {
      c.receiver.answer = () => 200;
      await c.sh(/`(belfry test [^`]+)`/.exec(fix)?.[1] ?? 'false');
      await until(async () => (await c.doctor()).length === 0, 'the channel to be well again');
    },
  },
  {
    name: 'no channel at all',
    break: (c) => {
      keep(c.config);
      writeFileSync(c.config, 'routes = []\n');
    },
    finds: [['channels', /no channel: nobody is notified/]],
    fix: (c) => writeFileSync(c.config, good),
  },
  {
    name: 'a key the service does not accept',
    break: (c) => withService(c, 'wrong'),
    finds: [['service key', /401/]],
    fix: (c) => edit(c.config, (text) => text.replace('fk-no-such-key', `file:${join(c.home, 'key')}`)),
  },
  {
    name: 'a key that may not ask',
    break: async (c) => {
      keep(c.config);
      const service = await startReceiver();
      service.answer = () => ({ status: 403, headers: { 'content-type': 'application/json' }, body: '{}' });
      edit(c.config, (text) => `[api]\nbase_url = "${service.url}"\nkey = "fk-a-member"\n\n${text}`);
    },
    finds: [['service key', /403/]],
    fix: (c) => {
      writeFileSync(c.config, good);
      return withService(c, 'right');
    },
  },
  {
    name: 'the clock went back',
    break: async (c) => {
      await c.belfry('send', 'x', '--kind', 'agent.finished');
      moveEvents(c, Date.now() + 3_600_000);
    },
    finds: [['clock', /is in the future/]],
    fix: (c) => moveEvents(c, Date.now()), // as if the clock had been set
  },
  {
    name: 'an old service unit',
    break: async (c) => {
      await c.belfry('service', 'install');
      await c.belfry('start');
      edit(join(c.home, '.config', 'systemd', 'user', 'belfry.service'), (text) =>
        text.replaceAll(process.execPath, '/opt/gone/node'),
      );
    },
    finds: [['service', /is outdated/]],
    fix: async (c, [fix = '']) => {
      expect(fix).toContain('belfry service install');
      await c.sh('belfry service install; belfry start');
    },
  },
  {
    name: 'the service does not run',
    break: async (c) => {
      await c.belfry('service', 'install');
      await c.belfry('start');
      rmSync(join(c.home, 'active'));
    },
    finds: [['service', /is not running/]],
    fix: async (c, [fix = '']) => {
      expect(fix).toContain('belfry service install');
      await c.sh('belfry service install; belfry start');
    },
  },
];

function moveEvents(c: Clinic, at: number): void {
  const db = new DatabaseSync(join(c.own, 'state', 'belfry.db'));
  db.prepare("UPDATE events SET at = ?, event = json_set(event, '$.at', ?)").run(at, at);
  db.close();
}

test('a healthy one', async () => {
  const c = await clinic();
  expect(await c.doctor()).toEqual([]);
  const notified = await c.belfry('doctor');
  expect(notified).toMatchObject({ code: 0, stderr: '' });
  expect(notified.stdout).toMatch(/All checks passed\.\n$/);
});

test.each(BREAKAGES)('$name', async (breakage) => {
  const c = await clinic();
  await breakage.break(c);
  const found = await c.doctor();
  expect(found.map(({ check, text }) => [check, text])).toEqual(
    breakage.finds.map(([check, text]) => [check, expect.stringMatching(text)]),
  );
  const fixes = found.map(({ fix }) => fix ?? '');
  expect(fixes.every((fix) => fix !== '')).toBe(true);
  if (breakage.fix) await breakage.fix(c, fixes);
  else for (const fix of fixes) await c.sh(/`([^`]+)`/.exec(fix)?.[1] ?? `echo "no command in: ${fix}" >&2; false`);
  expect(await c.doctor()).toEqual([]);
});

test('an event that could not be read is no failure; what doctor says to do shows it and clears it', async () => {
  const c = await clinic();
  const folder = join(c.own, 'quarantine');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'x.input'), '{"why":"it is not JSON"}\nx');
  expect(await c.doctor()).toEqual([]);
  const said = async () =>
    /^(\S+) +quarantine +(.*)\n(?: +hint: (.*)\n)?/m.exec((await c.belfry('doctor')).stdout)?.slice(1) ?? [];
  const [level, text, hint = ''] = await said();
  expect([level, text]).toEqual(['note', 'events that could not be read: 1']);
  const [, look = '', clear = ''] = /`([^`]+)`[^`]*`([^`]+)`/.exec(hint) ?? [];
  expect((await c.sh(look)).stdout).toContain('it is not JSON');
  expect((await c.sh(clear)).code).toBe(0);
  expect(await said()).toEqual(['ok', 'every event could be read', undefined]);
});
