// A prompt that was dealt with disappears from the screen within a second: answered in the terminal, acknowledged, and after a restart of the daemon too.
import { listed } from '../support/lists.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { sample } from '../support/samples.ts';
import { startVirtualDesktop, type VirtualDesktop } from '../support/virtual-desktop.ts';
import { until } from '../support/wait.ts';

/** Longest that it may stay, ms. */
const SOON = 1_000;

let screen: VirtualDesktop;
beforeAll(async () => {
  screen = await startVirtualDesktop();
});
afterAll(() => screen.close());

const prompt = (session: string): Record<string, unknown> => ({
  ...sample('claude', 'PermissionRequest', 'tui-permission-deny').input,
  session_id: session,
  tool_name: 'Bash',
  tool_input: { command: `run ${session}`, description: session }, // the server shows the same text only once
});

const answered = (session: string): string =>
  JSON.stringify({ ...prompt(session), hook_event_name: 'PostToolUse', tool_response: { stdout: 'done' } });

type Deal = (home: string, session: string) => Promise<unknown>;
const inTheTerminal: Deal = (home, session) => hook(home, answered(session));
const acknowledged: Deal = (home, session) => belfry(home, ['ack', session]);

test.each<[string, Deal, boolean]>([
  ['answered in the terminal', inTheTerminal, false],
  ['acknowledged', acknowledged, false],
  ['answered in the terminal, after a restart of the daemon', inTheTerminal, true],
  ['acknowledged, after a restart of the daemon', acknowledged, true],
])('a prompt that is %s disappears, and no other', async (_name, deal, restart) => {
  const home = temporaryFolder();
  const daemon = await startDaemon(home, { env: screen.env });
  await hook(home, JSON.stringify(prompt('other')));
  await hook(home, JSON.stringify(prompt('asked')));
  await until(async () => (await screen.displayed()) === 2, 'both prompts', 20_000);
  await until(async () => !JSON.stringify(await listed(home, ['deliveries'])).includes('"leased"'), 'the receipts');
  if (restart) {
    await daemon.stop();
    await startDaemon(home, { env: screen.env });
  }
  await deal(home, 'asked');
  const from = performance.now();
  await until(async () => (await screen.displayed()) === 1, 'the answered prompt to disappear', 10_000);
  const ms = performance.now() - from;
  process.stdout.write(`\n  gone ${Math.round(ms)} ms after the hook or command had ended\n`);
  expect(ms).toBeLessThan(SOON);
  const { stdout } = await belfry(home, ['pending', '--json']);
  expect((JSON.parse(stdout) as { session_id: string }[]).map(({ session_id }) => session_id)).toEqual(['other']);
  await inTheTerminal(home, 'other');
  await until(async () => (await screen.displayed()) === 0, 'the other prompt to disappear', 10_000);
});
