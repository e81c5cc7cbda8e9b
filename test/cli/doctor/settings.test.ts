// Doctor on settings: what is locked is said to be so only where the running daemon has it, and what a machine-wide change spoils is a failure.
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { settingsCheck } from '../../../src/cli/doctor/settings.ts';
import { readConfig } from '../../../src/config/load.ts';
import { listenSocket } from '../../../src/sources/socket/socket.ts';
import { pathsBelow } from '../../support/home.ts';
import { configFiles } from '../../support/machine-wide.ts';

const LOCKED = '[locked]\nkeys = ["answer.kinds", "redaction.level"]\n';

/** The results beside a daemon that has these keys locked, one after the other; the last one goes on. */
async function examined(own: string | null, ...locked: readonly (readonly string[])[]) {
  const files = configFiles(own, LOCKED);
  const paths = { ...pathsBelow(join(files.config, '..')), config: files.config };
  let asked = 0;
  const listening = await listenSocket({
    paths,
    log: () => undefined,
    accept: async () => ({ ok: false, error: '' }),
    command: async (_command, reply) => {
      const settings = { broken: own === null ? null : 'OWN', locked: locked[asked++] ?? locked.at(-1) };
      reply({ data: { settings }, done: true });
    },
  });
  if (listening.state !== 'listening') throw new Error(JSON.stringify(listening));
  onTestFinished(listening.close);
  const loaded = await readConfig(files);
  const results = await settingsCheck.run({
    paths,
    config: loaded.ok ? loaded.config : null,
    diagnostics: loaded.ok ? loaded.warnings : loaded.diagnostics,
    machineConfig: loaded.machine,
    configured: loaded.text !== null,
  } as never); // it asks for no more of it
  return results.map(({ level, text }) =>
    `${level} ${text}`.replaceAll(files.machineConfig, 'MACHINE').replaceAll(files.config, 'OWN'),
  );
}

const LOCKS =
  'ok machine-wide settings: MACHINE locks answer.kinds, redaction.level (advisory: the daemon runs as you)';

test('a daemon that is only about to follow the file is waited for', async () => {
  const results = await examined(null, [], ['answer.kinds', 'redaction.level']);
  expect(results).toEqual(['ok no settings file of yours', LOCKS]);
});

test('a lock that the daemon does not have fails', async () => {
  vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(10_000);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await examined(null, ['answer.kinds'])).toContain(
    'fail redaction.level: locked in MACHINE, but not in the running daemon',
  );
});

test('a channel that the machine-wide file has no more fails with its place; the locks count beside it', async () => {
  const own = '[channels.desk]\ntype = "desktop"\n[[routes]]\nto = ["desk", "team"]\n';
  expect(await examined(own, ['answer.kinds', 'redaction.level'])).toEqual([
    'fail OWN:4:15: routes[0].to[1]: no [channels.team] in this file or in MACHINE; known: desk',
    LOCKS,
  ]);
});
