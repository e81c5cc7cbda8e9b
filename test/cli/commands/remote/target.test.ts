// What `belfry remote add` takes as a machine, and a container that is found by its label.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addCommand, targetOf } from '../../../../src/cli/commands/remote/target.ts';
import { quotedWord } from '../../../../src/lib/text/quoted-word.ts';
import { reachCommand } from '../../../../src/runtime/remote-command.ts';
import { temporaryFolder } from '../../../support/home.ts';
import { run } from '../../../support/programs.ts';

test.each([
  ['box', 'box'],
  ['ada@build.example.com', 'build.example.com'],
  ['docker:web', 'web'],
  ['podman:web_1', 'web_1'],
  ['wsl:Ubuntu-24.04', 'Ubuntu-24.04'],
  ['docker:label=devcontainer.local_folder=/home/ada/my api', 'my-api'],
  ['docker:label=devcontainer.local_folder=/home/ada/api/', 'api'],
  ['docker:label=devcontainer.local_folder=c:\\Users\\ada\\api', 'api'],
  ['podman:label=app=web', 'web'],
])('%s is called %s, and added again as it was', (host, name) => {
  const target = targetOf([host], false);
  expect(target.name).toBe(name);
  expect(addCommand(name, target.settings)).toBe(`belfry remote add ${quotedWord(host)}`);
  expect(addCommand('other', target.settings)).toBe(`belfry remote add ${quotedWord(host)} --name other`);
});

test.each(['docker:-v', 'docker:a;b', 'wsl:label=a=b', 'docker:label=a', '-oProxyCommand=x'])(
  '%s is refused',
  (host) => {
    expect(() => targetOf([host], false)).toThrow(/is not/);
  },
);

test('a container is looked up by its label each time, whatever the label is', async () => {
  const bin = temporaryFolder();
  const label = 'devcontainer.local_folder=/home/ada/$(touch x) "a" b';
  writeFileSync(
    join(bin, 'docker'),
    `#!/bin/sh
if [ "$1" = ps ]; then
  [ "$*" = 'ps -q --filter label=${label}' ] && cat "$CONTAINERS"
else
  [ "$1 $2" = 'exec -i' ] && echo "in $3" && shift 3 && exec "$@"
fi
`,
  );
  chmodSync(join(bin, 'docker'), 0o755);
  const containers = join(bin, 'containers');
  const target = targetOf([`docker:label=${label}`], false);
  const reached = async () => {
    const [program = '', ...args] = reachCommand({ connect: 'always', ...target.settings }, 'echo "$1 $2"', [
      'one',
      'two',
    ]);
    return run(program, args, { PATH: `${bin}:/usr/bin:/bin`, CONTAINERS: containers });
  };
  for (const id of ['1f2e', '9a8b']) {
    writeFileSync(containers, `${id}\nother\n`);
    expect(await reached()).toMatchObject({ code: 0, stdout: `in ${id}\none two\n` });
  }
  writeFileSync(containers, '');
  expect(await reached()).toMatchObject({ code: 1, stderr: `no container with the label ${label} runs\n` });
});
