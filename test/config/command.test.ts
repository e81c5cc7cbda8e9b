// `belfry config check`: the whole command, as people and programs see it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { belfry } from '../support/programs.ts';

test('a file named that is not there is an error; none where the settings belong is not', async () => {
  const home = temporaryFolder();
  const named = await belfry(home, ['config', 'check', join(home, 'nope.toml')]);
  expect(named).toMatchObject({ code: 4, stdout: '' });
  expect(named.stderr).toMatch(/nope\.toml does not exist: give the path of a settings file\n$/);
  expect(await belfry(home, ['config', 'check'])).toMatchObject({ code: 0, stderr: '' });
});

test('every mistake in one go, one line each, in the order of the file', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config.toml'), '[channels.d]\ntype = "desktop"\nsound = "yes"\nlevel = "loud"\n');
  const ran = await belfry(home, ['config', 'check']);
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  const lines = ran.stderr.trim().split('\n');
  expect(lines.map((line) => line.replace(/^.*config\.toml:/, ''))).toEqual([
    '3:9: channels.d.sound: must be true or false',
    '4:9: channels.d.level: "loud" is not one of its values; known: full, short, title',
  ]);
});
