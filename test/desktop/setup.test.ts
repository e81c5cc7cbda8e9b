// `belfry setup --yes` in a fresh home on a desktop of its own: the notification is on the screen, and afterwards the home is as it was.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { belfry, run } from '../support/programs.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { startVirtualDesktop } from '../support/virtual-desktop.ts';
import { until } from '../support/wait.ts';

const settings = '{\n\t"model": "opus", // mine\n\t"hooks": {}\n}\n';

/** Every path below a home with its content. */
function tree(home: string): Record<string, string> {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, entry.isFile() ? readFileSync(path, 'utf8') : ''];
    }),
  );
}

test('a notification is shown; the hook it installed shows the next; then nothing is left', async () => {
  const home = mkdtempSync(join(tmpdir(), 'belfry-setup-'));
  const desktop = await startVirtualDesktop();
  const bin = join(home, 'bin');
  mkdirSync(join(home, '.claude'));
  writeFileSync(join(home, '.claude', 'settings.json'), settings);
  mkdirSync(bin);
  writeFileSync(join(bin, 'systemctl'), '#!/bin/sh\nexit 1\n'); // no service manager, whatever runs on this machine
  chmodSync(join(bin, 'systemctl'), 0o755);
  const env = { ...desktop.env, HOME: home, BELFRY_HOME: undefined, PATH: `${bin}:/usr/bin:/bin` };
  try {
    const before = tree(home);
    const done = await belfry(home, ['setup', '--yes'], { env });
    expect(done).toMatchObject({ code: 0, stderr: '' });
    const first = await until(async () => (await desktop.shown()).at(-1), 'the test notification');
    expect(first.appname.toLowerCase()).toContain('belfry');

    const installed = JSON.parse(
      readFileSync(join(home, '.claude', 'settings.json'), 'utf8').replace(/\/\/.*/g, ''),
    ) as {
      hooks: { Notification: [{ hooks: [{ command: string }] }] };
    };
    const input = JSON.stringify({
      session_id: 's1',
      transcript_path: join(home, '.claude', 'projects', 'x.jsonl'),
      cwd: home,
      hook_event_name: 'Notification',
      message: 'Claude needs your permission to use Bash',
      notification_type: 'permission_prompt',
    });
    const command = installed.hooks.Notification[0].hooks[0].command;
    const hook = await run('/bin/sh', ['-c', command], { HOME: home, PATH: env.PATH }, { input, cwd: home });
    expect(hook).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const second = await until(
      async () => (await desktop.shown()).find(({ summary, body }) => `${summary} ${body}`.includes('permission')),
      'the notification of the installed hook',
    );
    expect(second.summary).toContain('Claude');

    // Settings are the user's, and the session is one that a person would miss: both stay, and so does belfry's own folder.
    await belfry(home, ['uninstall'], { env });
    await belfry(home, ['service', 'uninstall'], { env });
    await belfry(home, ['stop'], { env });
    const left = tree(home);
    const own = (path: string): boolean =>
      path.startsWith(join(home, '.local')) || path.startsWith(join(home, '.config'));
    expect(existsSync(join(home, '.config', 'belfry', 'config.toml'))).toBe(true);
    expect(Object.fromEntries(Object.entries(left).filter(([path]) => !own(path)))).toEqual(before);
  } finally {
    await belfry(home, ['stop'], { env });
    await desktop.close();
    await removeFolder(home);
  }
});

test('after a purge nothing at all is left', async () => {
  const home = mkdtempSync(join(tmpdir(), 'belfry-setup-'));
  const desktop = await startVirtualDesktop();
  mkdirSync(join(home, '.claude'));
  writeFileSync(join(home, '.claude', 'settings.json'), settings);
  const env = { ...desktop.env, HOME: home, BELFRY_HOME: undefined };
  try {
    const before = tree(home);
    expect((await belfry(home, ['setup', '--yes', '--no-service'], { env })).code).toBe(0);
    await until(async () => (await desktop.shown()).length > 0, 'the test notification');
    await belfry(home, ['uninstall', '--purge'], { env });
    await belfry(home, ['service', 'uninstall'], { env });
    expect(tree(home)).toEqual(before);
  } finally {
    await belfry(home, ['stop'], { env });
    await desktop.close();
    await removeFolder(home);
  }
});
