// A machine without files, also for programs that are no tests.
import type { Files } from '../../src/files/index.ts';

/** Nothing of this machine is looked at. */
export const NO_FILES: Files = {
  realPath: async () => null,
  entry: async () => null,
  target: async () => null,
  start: async () => null,
  end: async () => null,
  names: async () => null,
  stop: () => undefined,
};
