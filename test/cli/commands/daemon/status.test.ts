// `belfry status` without a daemon: what lies in the folders of its home.
import { mkdirSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { act } from '../../../../src/cli/commands/daemon/status.ts';
import { quarantineCheck } from '../../../../src/cli/doctor/quarantine.ts';
import { processIo } from '../../../../src/cli/io.ts';
import { quarantineIn } from '../../../../src/ingest/quarantine.ts';
import { pathsBelow, temporaryFolder } from '../../../support/home.ts';

test('status counts events that could not be read as doctor does: empty inputs are none', async () => {
  const home = temporaryFolder();
  vi.stubEnv('BELFRY_HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const paths = pathsBelow(home);
  mkdirSync(paths.state, { recursive: true });
  const keep = quarantineIn(paths.quarantine);
  await keep('one', Buffer.from('not json'), 'it is not JSON');
  await keep('two', Buffer.from(''), 'it is empty');
  const data: unknown[] = [];
  await act({ ...processIo(true), data: (value) => void data.push(value) });
  expect(data).toMatchObject([{ running: false, quarantined: 1 }]);
  expect(await quarantineCheck.run({ paths } as never)).toMatchObject([
    {
      level: 'warn',
      text: 'events that could not be read: 1',
      fix: `\`head -n 1 '${paths.quarantine}'/*\` shows why and when; \`rm '${paths.quarantine}'/*\` clears them`,
    },
  ]);
});
