// The package as npm packs it, installed into an empty prefix, does the main job under every Node it promises to support.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bareEnv, run } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { sample } from '../support/samples.ts';
import { until } from '../support/wait.ts';
import { NODE_VERSIONS } from './node-versions.ts';

const root = new URL('../..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'belfry-matrix-'));
const prefix = join(folder, 'prefix');

beforeAll(() => {
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: root,
    stdio: 'pipe',
  });
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '';
  mkdirSync(prefix);
  execFileSync(
    'npm',
    ['install', '--global', '--prefix', prefix, '--ignore-scripts', '--silent', join(folder, tarball)],
    { cwd: folder, stdio: 'pipe' },
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A Node binary of this version: the package registry has one package a platform that holds nothing else. */
function nodeBinary(version: string): string {
  const place = join(folder, `node-${version}`);
  mkdirSync(place);
  const name = `node-${process.platform}-${process.arch}`;
  execFileSync(
    'npm',
    ['install', '--prefix', place, '--silent', '--no-save', '--ignore-scripts', `${name}@${version}`],
    { cwd: place, stdio: 'pipe' },
  );
  return realpathSync(join(place, 'node_modules', name, 'bin', 'node'));
}

describe.each(NODE_VERSIONS)('Node %s', (version) => {
  test('hook, daemon, delivery and command line', async () => {
    const node = nodeBinary(version);
    const home = join(folder, `home-${version}`);
    mkdirSync(home);
    const receiver = await startReceiver();
    writeFileSync(
      join(home, 'config.toml'),
      `[channels.audit]\ntype = "webhook"\nurl = "${receiver.url}/in"\nallow_private = true\n\n[[routes]]\nto = ["audit"]\n`,
    );
    const env = bareEnv(home);
    const belfry = (...args: string[]) =>
      run(node, [join(prefix, 'lib/node_modules/belfry/dist/belfry.js'), ...args], env);
    const actual = (await run(node, ['--version'], env)).stdout.trim();
    expect(actual).toMatch(new RegExp(`^v${version.replaceAll('.', '\\.')}`));

    expect(await belfry('start')).toMatchObject({ code: 0 });
    try {
      const { bytes } = sample('claude', 'Stop', 'print-plain');
      const hook = await run(
        node,
        [join(prefix, 'lib/node_modules/belfry/dist/belfry-hook.cjs'), '--agent', 'claude'],
        env,
        { input: bytes },
      );
      expect(hook).toMatchObject({ code: 0, stdout: '', stderr: '' });
      const [request] = await receiver.waitFor(1);
      expect(JSON.parse(request?.body ?? '')).toMatchObject({ type: 'agent.finished' });
      const sent = await until(async () => {
        const rows = JSON.parse((await belfry('deliveries', '--json')).stdout) as
          | { state: string }[]
          | { deliveries: { state: string }[] };
        return (Array.isArray(rows) ? rows : rows.deliveries).some((row) => row.state === 'sent');
      }, 'the delivery to be marked');
      expect(sent).toBe(true);
      expect(await belfry('status')).toMatchObject({ code: 0 });
    } finally {
      expect(await belfry('stop')).toMatchObject({ code: 0 });
    }
    expect(await belfry('status')).toMatchObject({ code: 7 });
  });
});
