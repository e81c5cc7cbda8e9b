// Removes a folder that programs just ended may still be writing to.
import { rmSync } from 'node:fs';
import { until } from './wait.ts';

/**
 * Resolves when the folder is gone. `maxRetries` of `rmSync` is not enough: it tries to remove the folder again, not what has come into
 * it since.
 */
export async function removeFolder(folder: string): Promise<void> {
  await until(() => {
    try {
      rmSync(folder, { recursive: true, force: true });
      return true;
    } catch {
      return false;
    }
  }, `${folder} to be removed`);
}
