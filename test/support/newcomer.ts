// The home of somebody who has Claude and nothing of Belfry yet, and takes the steps of a page in it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './home.ts';
import { belfry } from './programs.ts';

/** It, with a daemon that may start by itself and is stopped at the end of the test. */
export function newcomer(): { readonly home: string; readonly env: Record<string, string | undefined> } {
  const home = temporaryFolder();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), "#!/bin/sh\necho '2.1.197 (Claude Code)'\n", { mode: 0o755 });
  mkdirSync(join(home, '.claude'));
  const env = { PATH: `${bin}${delimiter}${process.env['PATH']}`, BELFRY_NO_AUTOSTART: undefined };
  onTestFinished(async () => void (await belfry(home, ['stop'], { env })));
  return { home, env };
}
