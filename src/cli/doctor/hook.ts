// Doctor: the hook, run for real with an input of its own into a spool of its own.
import { packageFolder } from '../../../installers/package-folder.ts';
import { hookArgv, hookCommand } from '../../runtime/hook-command.ts';
import { defineCheck, fail, ok } from './check.ts';
import { runHook } from './shared/installed-hooks.ts';

const FIX = 'reinstall belfry (`npm i -g belfry`), then run `belfry install --all`';

export const hookCheck = defineCheck({
  name: 'hook',
  inspects: 'the hook program, run as an agent runs it, with an input and a spool of its own',
  fixes: [
    ['it prints, fails or submits nothing', 'reinstall belfry, then `belfry install --all`'],
    ['`BELFRY_DISABLE` is set', 'unset it where you start agents'],
  ],
  run: async ({ paths, machine }) => {
    if (machine.env['BELFRY_DISABLE'])
      return [fail('BELFRY_DISABLE is set: hooks that see it do nothing', 'unset it where you start agents')];
    const at = { agent: 'generic', node: process.execPath, packageDir: packageFolder() };
    const windows = machine.platform === 'win32';
    const line = hookCommand({ ...at, form: 'fast' });
    const [program = '', ...args] = windows ? hookArgv({ ...at, form: 'cmd' }) : ['/bin/sh', '-c', line];
    const { silent, submitted, ms } = await runHook(program, args, { paths, machine });
    if (!silent) return [fail('the hook fails or prints something', FIX)];
    return [
      submitted ? ok(`the hook submits its input (${Math.round(ms)} ms)`) : fail('the hook submits nothing', FIX),
    ];
  },
});
