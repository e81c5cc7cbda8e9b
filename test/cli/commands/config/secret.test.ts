// `belfry secret`: stored in a 0600 file or the keyring, used at once by a running daemon, never shown, never an argument.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../support/home.ts';
import { belfry, type RunOptions, startDaemon } from '../../../support/programs.ts';
import { startReceiver } from '../../../support/receiver.ts';

const set = (home: string, name: string, input: string, env: RunOptions['env'] = {}, ...more: string[]) =>
  belfry(home, ['secret', 'set', name, ...more], { input, env });

test('stored in a private file, listed without its value, removed', async () => {
  const home = temporaryFolder();
  const file = join(home, 'secrets', 'slack');
  const stored = await set(home, 'slack', 'hush-1\n');
  expect(stored).toMatchObject({ code: 0, stderr: '' });
  expect(stored.stdout).toBe(`Stored in ${file}. Use it in config.toml as "secret:slack".\n`);
  expect(readFileSync(file, 'utf8')).toBe('hush-1\n');
  expect([statSync(file).mode & 0o777, statSync(join(home, 'secrets')).mode & 0o777]).toEqual([0o600, 0o700]);
  expect((await set(home, 'slack', 'hush-2')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe('hush-2\n');
  expect(JSON.parse((await belfry(home, ['secret', 'list', '--json'])).stdout)).toEqual({
    secrets: [{ name: 'slack', store: 'file', file }],
  });
  expect((await belfry(home, ['secret', 'list'])).stdout).toBe(`slack\t${file}\n`);
  expect(await belfry(home, ['secret', 'remove', 'slack'])).toMatchObject({ code: 0, stdout: 'Removed "slack".\n' });
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(join(home, 'secrets'))).toEqual([]);
});

const REFUSED: readonly [string, string[], string, number, RegExp][] = [
  ['a secret as an argument', ['set', 'slack', 'hush-3'], '', 2, /never from an argument/],
  ['nothing', ['set', 'slack'], ' \n', 2, /is empty; nothing was stored/],
  ['too much', ['set', 'slack'], 'x'.repeat(70_000), 2, /larger than 65536 bytes/],
  ['a name with a path', ['set', '../x'], 'hush-3', 2, /letters, digits/],
  ['a name that hides', ['set', '.x'], 'hush-3', 2, /letters, digits/],
  ['the removal of none', ['remove', 'none'], '', 4, /no secret "none" is stored/],
];

test.each(REFUSED)('refused: %s', async (_name, args, input, code, words) => {
  const home = temporaryFolder();
  const ran = await belfry(home, ['secret', ...args], { input });
  expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(words) });
  expect(ran.stderr).not.toContain('hush-3');
  expect(existsSync(join(home, 'secrets'))).toBe(false);
});

test('a running daemon uses a secret as soon as it is stored, and misses it as soon as it is removed', async () => {
  const home = temporaryFolder();
  const receiver = await startReceiver();
  writeFileSync(
    join(home, 'config.toml'),
    `[channels.team]\ntype = "slack"\nurl = "secret:team"\nallow_private = true\n[[routes]]\nto = ["team"]\n`,
  );
  await startDaemon(home);
  const before = await belfry(home, ['test', '--json']);
  expect(before.stdout).toContain('run `belfry secret set team`');
  await set(home, 'team', `${receiver.url}/hooks/hush\n`);
  expect(await belfry(home, ['test'])).toMatchObject({ code: 0 });
  expect(receiver.requests.map(({ path }) => path)).toEqual(['/hooks/hush']);
  const shown = await Promise.all(
    [['config', 'show'], ['doctor'], ['deliveries', '--json']].map((a) => belfry(home, a)),
  );
  for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toContain('hush');
  expect(shown[0]?.stdout).toContain('secret:team');
  await belfry(home, ['secret', 'remove', 'team']);
  expect((await belfry(home, ['test', '--json'])).stdout).toContain('run `belfry secret set team`');
});

test.runIf(process.platform === 'linux')('--keyring: only where it answers without a prompt', async () => {
  const home = temporaryFolder();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const tool = (text: string): void => {
    writeFileSync(join(bin, 'secret-tool'), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, 'secret-tool'), 0o755);
  };
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  const file = join(home, 'secrets', 'slack');

  const missing = await set(home, 'slack', 'hush', env, '--keyring');
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringMatching(/cannot be used: it is missing, locked/) });
  tool('sleep 60'); // a prompt that nobody answers
  const asked = await set(home, 'slack', 'hush', env, '--keyring');
  expect(asked).toMatchObject({ code: 1, stderr: expect.stringMatching(/waits for a prompt; without --keyring/) });

  tool(`case $1 in store) cat > '${home}/ring';; lookup) cat '${home}/ring';; clear) : > '${home}/ring';; esac`);
  expect(await set(home, 'slack', 'hush', env, '--keyring')).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(file)).toBe(false);
  expect((await belfry(home, ['secret', 'list'], { env })).stdout).toBe("slack\tthe system's keyring\n");
  writeFileSync(join(home, 'config.toml'), '[api]\nbase_url = "http://127.0.0.1:1"\nkey = "secret:slack"\n');
  const used = await belfry(home, ['api', 'computers', 'list'], { env });
  expect(used.code).toBe(7); // the key was found, the service was not

  // Stored again in a file, it is no longer taken from the keyring.
  expect((await set(home, 'slack', 'other', env)).code).toBe(0);
  expect((await belfry(home, ['secret', 'list'], { env })).stdout).toBe(`slack\t${file}\n`);
  expect((await belfry(home, ['secret', 'remove', 'slack'], { env })).code).toBe(0);
  expect((await belfry(home, ['api', 'computers', 'list'], { env })).code).toBe(3);
});
