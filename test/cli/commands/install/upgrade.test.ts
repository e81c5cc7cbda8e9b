// `belfry upgrade`: how this one is upgraded, what the machine knows of a newer one, and npm is asked only with --check.
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../support/home.ts';
import { bareEnv, run } from '../../../support/programs.ts';

const root = new URL('../../../../', import.meta.url).pathname;
const HOME = 'git+https://host.example/us/belfry.git';

/** The package as npm installs it for all folders, below `prefix`. */
function globalInstall(prefix: string, more: Record<string, unknown>): { program: string; version: string } {
  const folder = join(prefix, 'lib', 'node_modules', 'belfry');
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...own, ...more }));
  mkdirSync(join(prefix, 'bin'), { recursive: true });
  symlinkSync('../lib/node_modules/belfry/dist/belfry.js', join(prefix, 'bin', 'belfry'));
  return { program: join(folder, 'dist', 'belfry.js'), version: own.version };
}

/** An npm that notes that it was asked, and answers so. */
function npmSaying(bin: string, answer: string): () => string | null {
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\necho "$*" >'${bin}/asked'\n${answer}\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  return () => (existsSync(join(bin, 'asked')) ? readFileSync(join(bin, 'asked'), 'utf8').trim() : null);
}

test('without --check nobody is asked; a newer one on PATH is named', async () => {
  const [here, there] = [temporaryFolder(), temporaryFolder()];
  const { program, version } = globalInstall(here, {});
  globalInstall(there, { version: '99.0.0' });
  const asked = npmSaying(join(here, 'npm'), 'exit 1');
  const upgrade = (path: string, args: readonly string[] = []) =>
    run(process.execPath, [program, 'upgrade', ...args], bareEnv(here, { PATH: `${join(here, 'npm')}:${path}` }));
  const alone = await upgrade(join(here, 'bin'));
  expect(alone).toMatchObject({ code: 0, stderr: '' });
  expect(alone.stdout).toBe(
    `belfry ${version}, installed globally with npm: ${join(here, 'lib/node_modules/belfry')}\n` +
      'No newer version was found on this machine.\nTo upgrade:\n  npm install -g ./belfry-VERSION.tgz\n' +
      'belfry-VERSION.tgz is what `npm ci && npm pack` makes in a clone of the newer version.\n' +
      'A running daemon is replaced automatically. Then run `belfry install --all` to update the hooks.\n',
  );
  const two = await upgrade(`${join(here, 'bin')}:${join(there, 'bin')}`);
  expect(two.stdout).toContain(
    `Newer on this machine: 99.0.0, on PATH, in ${join(there, 'lib/node_modules/belfry')}\n`,
  );
  const json = await upgrade(join(there, 'bin'), ['--json']);
  expect(JSON.parse(json.stdout)).toEqual({
    version,
    folder: join(here, 'lib/node_modules/belfry'),
    installed_with: 'npm',
    command: 'npm install -g ./belfry-VERSION.tgz',
    newer: [{ version: '99.0.0', folder: join(there, 'lib/node_modules/belfry'), what: 'on PATH, in' }],
    latest: null,
    service: null,
  });
  expect(asked()).toBeNull();
  expect(await upgrade('', ['--check'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not published'),
  });
  expect(asked()).toBeNull();
});

test('--check asks npm, and believes it only of the package with the same home', async () => {
  const prefix = temporaryFolder();
  const { program, version } = globalInstall(prefix, { repository: { type: 'git', url: HOME } });
  const bin = join(prefix, 'npm');
  const check = (answer: string) => {
    const asked = npmSaying(bin, answer);
    return run(process.execPath, [program, 'upgrade', '--check'], bareEnv(prefix, { PATH: `${bin}:/bin` })).then(
      (ran) => ({ ...ran, asked: asked() }),
    );
  };
  const answering = (latest: string, url = HOME) =>
    `echo '${JSON.stringify({ version: latest, 'repository.url': url })}'`;
  const newer = await check(answering('99.0.0'));
  expect(newer).toMatchObject({ code: 0, asked: 'view belfry version repository.url --json' });
  expect(newer.stdout).toContain('The latest version is 99.0.0.\nTo upgrade:\n  npm install -g belfry@latest\n');
  expect((await check(answering(version))).stdout).toContain('This is the latest version.\n');
  expect((await check(answering('0.0.1'))).stdout).toContain(
    'This is newer than the latest published version, 0.0.1.\n',
  );
  expect(await check(answering('99.0.0', 'git+https://host.example/them/belfry.git'))).toMatchObject({
    code: 4,
    stdout: '',
    stderr: expect.stringContaining(`is not that of ${HOME}`),
  });
  expect(await check('echo "npm error network no route" >&2; exit 1')).toMatchObject({
    code: 7,
    stderr: expect.stringContaining('npm error network no route'),
  });
});
