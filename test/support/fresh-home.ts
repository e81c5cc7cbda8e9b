// The home of somebody who has an agent and nothing of ours, as on a user's machine: nothing but HOME says where files go.
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './home.ts';
import { belfry } from './programs.ts';

/** What the agent's settings say. */
export const settings = '{\n  "model": "opus" // mine\n}\n';

/** A home as its owner has it: an agent's settings, nothing of ours. */
export function freshHome(): { home: string; env: Record<string, string | undefined>; before: string[] } {
  const home = temporaryFolder();
  mkdirSync(join(home, '.claude'));
  writeFileSync(join(home, '.claude', 'settings.json'), settings);
  // Its program is where its own installer puts it, which no PATH names.
  mkdirSync(join(home, '.claude', 'local'));
  writeFileSync(join(home, '.claude', 'local', 'claude'), '#!/bin/sh\necho "2.1.197 (Claude Code)"\n', { mode: 0o755 });
  // Nothing but HOME says where files go, as on a user's machine; no service manager, no agent on the PATH.
  const bin = join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'systemctl'), '#!/bin/sh\nexit 1\n');
  chmodSync(join(bin, 'systemctl'), 0o755);
  const env = { HOME: home, BELFRY_HOME: undefined, PATH: `${bin}:/usr/bin:/bin` };
  onTestFinished(() => belfry(home, ['stop'], { env }).then(() => undefined));
  return { home, env, before: tree(home) };
}

/** Paths below a folder. */
export const tree = (home: string): string[] => readdirSync(home, { recursive: true, encoding: 'utf8' }).sort();
