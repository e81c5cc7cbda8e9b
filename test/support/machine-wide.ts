// Machine-wide settings on a root of a test's own.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ConfigFiles } from '../../src/config/machine/machine-config.ts';
import { temporaryFolder } from './home.ts';

/** Own and machine-wide settings in a temporary folder; null: there is no such file. */
export function configFiles(own: string | null, machine: string | null): Required<ConfigFiles> {
  const folder = temporaryFolder();
  const files = {
    config: join(folder, 'home', 'config.toml'),
    machineConfig: join(folder, 'etc', 'belfry', 'config.toml'),
    state: join(folder, 'home', 'state'),
    machineOwner: process.getuid?.() ?? 0,
  };
  mkdirSync(files.state, { recursive: true });
  if (own !== null) writeFileSync(files.config, own);
  if (machine !== null) writeMachine(files, machine);
  return files;
}

/** As an administrator does: its folder is made, and nobody else can write it. */
export function writeMachine({ machineConfig }: Required<ConfigFiles>, text: string): void {
  mkdirSync(dirname(machineConfig), { recursive: true, mode: 0o755 });
  writeFileSync(machineConfig, text, { mode: 0o644 });
}
