// Programs that record what they were run with, in place of players and voices: scripts that come first on the PATH.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolsOf } from '../contracts/channel.ts';
import { temporaryFolder } from './home.ts';
import { until } from './wait.ts';

/** What must not be handed on. */
export const SECRET = 'tk_0123456789abcdef';

/** By name, each the body of a script that runs in `folder`. `after`: the rest of the PATH. */
export function recordingPrograms(scripts: Readonly<Record<string, string>>, after = process.env['PATH'] ?? '') {
  const folder = temporaryFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const [name, body] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\ncd '${folder}'\n${body}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const env = { PATH: [bin, after].join(':'), SLACK_TOKEN: SECRET };
  return {
    tools: toolsOf({ env, platform: 'linux' }),
    read: (name: string): string => readFileSync(join(folder, name), 'utf8'),
    isThere: (name: string) => until(() => existsSync(join(folder, name)), name),
    /** Makes it, which a script may wait for. */
    make: (name: string): void => writeFileSync(join(folder, name), ''),
    remove: (name: string): void => rmSync(join(folder, name)),
  };
}
