// `belfry doctor`: checks each link from hook to channel and says how to fix it.
import { thisMachine } from '../../../installers/install-context.ts';
import { applyProxy } from '../../config/proxy-setting.ts';
import { readConfig } from '../../config/load.ts';
import { EXIT } from '../../model/errors.ts';
import { resolveOwnPaths } from '../../runtime/own-paths.ts';
import { type Check, type CheckResult, fail, type DoctorContext } from '../doctor/check.ts';
import { CHECKS } from '../doctor/index.ts';
import type { Define } from '../command-entry.ts';
import { painter } from '../output/table-output.ts';
import { wrap } from '../output/wrap.ts';
import { errorMessage } from '../../lib/text/error-message.ts';

const MARKS = { ok: 'ok  ', warn: 'note', fail: 'FAIL' } as const;
const TONES = { ok: 'good', warn: 'dim', fail: 'bad' } as const;

export const define: Define = (command, io) => {
  command.action(async () => {
    const paths = resolveOwnPaths();
    const loaded = await readConfig(paths);
    const context: DoctorContext = {
      paths,
      machine: thisMachine(),
      io,
      now: Date.now(),
      config: loaded.ok ? loaded.config : null,
      diagnostics: loaded.ok ? loaded.warnings : loaded.diagnostics,
      configured: loaded.text !== null,
      machineConfig: loaded.machine,
    };
    if (loaded.ok) await applyProxy(loaded.config, io.env);
    await storeLoaded();
    const all = await Promise.all(CHECKS.map(async (check) => ({ check, results: await examine(check, context) })));
    const broken = all.flatMap(({ results }) => results).filter(({ level }) => level === 'fail').length;
    io.exit = broken > 0 ? EXIT.other : EXIT.ok;
    if (io.json)
      return io.data({ ok: broken === 0, checks: all.map(({ check, results }) => ({ name: check.name, results })) });
    const paint = await painter(io);
    const width = Math.max(...CHECKS.map(({ name }) => name.length));
    for (const { check, results } of all)
      for (const { level, text, fix } of results) {
        const indent = ' '.repeat(width + 8);
        const lines = [text, ...(fix === undefined ? [] : [`${level === 'fail' ? 'fix' : 'hint'}: ${fix}`])];
        const shown = lines.flatMap((line) => wrap(line, io.tty ? io.columns - indent.length : Infinity));
        const head = `${paint(TONES[level], MARKS[level])}  ${check.name.padEnd(width)}  `;
        for (const [i, line] of shown.entries()) io.line(`${i === 0 ? head : indent}${line}`);
      }
    io.line(broken === 0 ? 'All checks passed.' : `${broken} ${broken === 1 ? 'check' : 'checks'} failed.`);
  });
};

/**
 * Several checks read the store. Were its native module first imported by all of them at once, Node 20 would now and then
 * hand one an unfinished module. Where it cannot be loaded at all, each of them says so.
 */
async function storeLoaded(): Promise<void> {
  await import('../../store/open-reader.ts').catch(() => undefined);
}

/** A check that itself breaks is a failure too; the others still run. */
async function examine(check: Check, context: DoctorContext): Promise<readonly CheckResult[]> {
  try {
    return await check.run(context);
  } catch (error) {
    const words = errorMessage(error).split('\n')[0];
    return [fail(`this check broke: ${words}`, 'report it, with the output of `belfry doctor --json`')];
  }
}
