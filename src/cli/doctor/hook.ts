// Doctor: the hook, run for real with an input of its own into a spool of its own.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFolder } from '../../../installers/package-folder.ts';
import { hookArgv, hookCommand } from '../../runtime/hook-command.ts';
import { defineCheck, fail, ok } from './check.ts';

/** A hook takes milliseconds; above this the machine is overloaded, ms. */
const LIMIT = 15_000;
const INPUT = '{"hook_event_name":"Notification","message":"doctor"}';
const FIX = 'reinstall belfry (`npm i -g belfry`), then run `belfry install --all`';

export const hookCheck = defineCheck({
  name: 'hook',
  inspects: 'the hook program, run as an agent runs it, with an input and a spool of its own',
  fixes: [
    ['it prints, fails or submits nothing', 'reinstall belfry, then `belfry install --all`'],
    ['`BELFRY_DISABLE` is set', 'unset it where you start agents'],
  ],
  run: async ({ machine }) => {
    if (machine.env['BELFRY_DISABLE'])
      return [fail('BELFRY_DISABLE is set: hooks that see it do nothing', 'unset it where you start agents')];
    const at = { agent: 'generic', node: process.execPath, packageDir: packageFolder() };
    const windows = machine.platform === 'win32';
    const line = hookCommand({ ...at, form: 'fast' });
    const [program = '', ...args] = windows ? hookArgv({ ...at, form: 'cmd' }) : ['/bin/sh', '-c', line];
    const home = await mkdtemp(join(tmpdir(), 'belfry-doctor-'));
    try {
      const { execa } = await import('execa');
      const ran = await execa(program, args, {
        input: INPUT,
        env: { PATH: machine.env['PATH'], HOME: machine.home, BELFRY_HOME: home, BELFRY_NO_AUTOSTART: '1' },
        extendEnv: windows,
        timeout: LIMIT,
        reject: false,
      });
      if (ran.failed || ran.stdout !== '' || ran.stderr !== '')
        return [fail('the hook fails or prints something', FIX)];
      const spooled = (await readdir(join(home, 'spool')).catch(() => [])).filter((name) => name.endsWith('.event'));
      if (spooled.length !== 1) return [fail('the hook submits nothing', FIX)];
      return [ok(`the hook submits its input (${Math.round(ran.durationMs)} ms)`)];
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
});
