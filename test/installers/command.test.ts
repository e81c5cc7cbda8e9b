// What `install` writes, run by real shells: from odd folders, in an empty environment, with the package moved away, with Node gone.
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { BELFRY, run } from '../support/programs.ts';
import { sample } from '../support/samples.ts';

const ODD = `it's "my" päckage $HOME 100% \`x\``;
// Without anybody's start files: bash reads them when its stdin is a socket, as a test's is.
const shells = [['/bin/sh'], ['/bin/bash', '--norc'], ['/usr/bin/zsh', '-f']].filter(([shell = '']) =>
  existsSync(shell),
);
const inShell = ([shell = '', ...options]: string[], command: string, env: Record<string, string>, cwd: string) =>
  run(shell, [...options, '-c', command], env, { input, cwd });
const { bytes: input } = sample('claude', 'Stop', 'print-plain');

/** The package and its own Node in folders of odd names; the command that its `install` writes. */
async function installed(
  form: string,
): Promise<{ home: string; packageFolder: string; node: string; command: string }> {
  const home = temporaryFolder();
  const packageFolder = join(home, ODD);
  mkdirSync(packageFolder);
  cpSync(dirname(BELFRY), join(packageFolder, 'dist'), { recursive: true });
  writeFileSync(join(packageFolder, 'package.json'), '{"name":"belfry","type":"module"}');
  const node = join(home, `node ${ODD}`);
  try {
    linkSync(process.execPath, node);
  } catch {
    copyFileSync(process.execPath, node); // another file system
  }
  const env = { PATH: '/usr/bin:/bin', HOME: home, BELFRY_HOME: join(home, 'b') };
  const file = join(home, 'settings.json');
  const args = [join(packageFolder, 'dist', 'belfry.js'), 'install', 'claude', '--settings', file, '--hook', form];
  expect(await run(node, args, env)).toMatchObject({ code: 0, stderr: '' });
  const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as { hooks: { Stop: [{ hooks: [{ command: string }] }] } };
  return { home, packageFolder, node, command: hooks.Stop[0].hooks[0].command };
}

const spooled = (home: string): string[] => {
  const folder = join(home, 'b', 'spool');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.event')) : [];
};

describe.each(['fast', 'socket'])('form %s', (form) => {
  test('hands the input over, wherever it lies, in every shell', async () => {
    const { home, command } = await installed(form);
    const env = { BELFRY_HOME: join(home, 'b'), BELFRY_NO_AUTOSTART: '1' };
    for (const [index, shell] of shells.entries()) {
      expect(await inShell(shell, command, env, '/')).toMatchObject({
        code: 0,
        stdout: '',
        stderr: '',
      });
      expect(spooled(home), shell[0]).toHaveLength(index + 1);
    }
  });

  test.each(['an empty environment', 'the package moved away', 'Node gone', 'both gone'])(
    '%s: exit 0, silent',
    async (what) => {
      const { home, packageFolder, node, command } = await installed(form);
      if (what !== 'Node gone' && what !== 'an empty environment') renameSync(packageFolder, `${packageFolder} moved`);
      if (what === 'Node gone' || what === 'both gone') renameSync(node, `${node} moved`);
      // Where files go is not said either; the start of a daemon is all that is forbidden.
      const env = what === 'an empty environment' ? { BELFRY_DISABLE: '1' } : { HOME: home, BELFRY_NO_AUTOSTART: '1' };
      for (const shell of shells)
        expect(await inShell(shell, command, env, home), shell[0]).toMatchObject({
          code: 0,
          stdout: '',
          stderr: '',
        });
    },
  );
});
