// A home whose daemon asks the sandbox of the organization's service, and the command line with it.
import { onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { startDaemon } from './programs.ts';
import { homeWith } from './thread.ts';

/** Settings that lead to a service. */
export const serviceSettings = (base: string, app = base, key = 'not-a-real-key'): string =>
  `[api]\nbase_url = "${base}"\napp_url = "${app}"\nkey = "${key}"\n`;

/** Both run until the test has ended. */
export async function homeWithService(): Promise<{ readonly home: string; readonly sandbox: Sandbox }> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const home = homeWith(serviceSettings(sandbox.baseUrl, sandbox.appUrl, sandbox.apiKey));
  await startDaemon(home);
  return { home, sandbox };
}
