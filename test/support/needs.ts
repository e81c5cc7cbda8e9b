// Programs that a test needs beside Node: .ci/run installs them; where one cannot be had, the test says so and is left out.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'vitest';

const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);

/** Skips the running test where one of them is not there. `packages`: of Debian, that have them. */
export function needs({ skip }: TestContext, programs: readonly string[], packages: string): void {
  const missing = programs.filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
  if (missing.length > 0) skip(`${missing.join(', ')} cannot be found: apt-get install ${packages}`);
}
