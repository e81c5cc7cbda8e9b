// What people type who come from other programs: help of a subcommand, the version, and other names of commands.
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { bareEnv, belfry } from '../support/programs.ts';

const typed = (...args: readonly string[]) => {
  const home = temporaryFolder();
  return belfry(home, args, { env: bareEnv(home) });
};

test.each([
  [['help', 'channel', 'add'], 'Usage: belfry channel add '],
  [['help', 'config', 'set'], 'Usage: belfry config set '],
  [['help', 'channel'], 'Usage: belfry channel '],
])('belfry %j', async (args, begins) => {
  const { code, stdout } = await typed(...args);
  expect([code, stdout.startsWith(begins)]).toEqual([0, true]);
});

test.each(['version', '-v', '-V', '--version'])('belfry %s', async (word) => {
  expect(await typed(word)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^belfry \d+\.\d+\.\d+\n$/) });
});

test.each([
  [['ps'], 'belfry: unknown command "ps"; did you mean "sessions"?'],
  [['update'], 'belfry: unknown command "update"; did you mean "upgrade"?'],
  [['staus'], 'belfry: unknown command "staus"; did you mean "status"?'],
  [['channel', 'rm'], 'belfry channel: unknown subcommand "rm"; did you mean "remove"?'],
  [['config', 'list'], 'belfry config: unknown subcommand "list"; did you mean "show"?'],
])('belfry %j', async (args, says) => {
  const { code, stderr } = await typed(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
});
