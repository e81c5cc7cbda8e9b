// Makes docs/pictures/notification.png, a picture of one real notification, and docs/pictures/prompts-before.png and -after.png, of two prompts before and after one
// was answered in the terminal: from a captured input through the built hook and daemon.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BELFRY, bareEnv, hook, run } from '../support/programs.ts';
import { sample } from '../support/samples.ts';
import { startVirtualDesktop } from '../support/virtual-desktop.ts';
import { until } from '../support/wait.ts';
import { COLOURS, docs, drawn, LOOKS } from './looks.ts';

const home = mkdtempSync(join(tmpdir(), 'belfry-picture-'));
const project = join(home, 'payments');
mkdirSync(join(project, '.git'), { recursive: true });
writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/refunds\n');
const screen = await startVirtualDesktop({ settings: LOOKS, size: [820, 275] });
const daemon = run(process.execPath, [BELFRY, 'daemon'], bareEnv(home, screen.env));
try {
  const { input } = sample('claude', 'PermissionRequest', 'tui-permission-deny');
  const prompt = (session: string, command: string, description: string) => ({
    ...input,
    session_id: session,
    cwd: project,
    tool_name: 'Bash',
    tool_input: { command, description },
  });
  const migrate = prompt('refunds', 'npm run migrate -- --env staging', 'Run the migrations');
  await until(async () => (await run(process.execPath, [BELFRY, 'status'], bareEnv(home))).code === 0, 'the daemon');
  await hook(home, JSON.stringify(migrate));
  await drawn(screen, 1);
  await screen.screenshot(docs('notification'), '-trim', '+repage', ...COLOURS);
  await hook(home, JSON.stringify(prompt('invoices', 'git push origin invoices', 'Push the branch')));
  await drawn(screen, 2);
  await screen.screenshot(docs('prompts-before'), ...COLOURS);
  await hook(home, JSON.stringify({ ...migrate, hook_event_name: 'PostToolUse', tool_response: { stdout: 'done' } }));
  await drawn(screen, 1);
  await screen.screenshot(docs('prompts-after'), ...COLOURS);
} finally {
  await run(process.execPath, [BELFRY, 'stop'], bareEnv(home));
  await daemon;
  await screen.close();
  rmSync(home, { recursive: true, force: true });
}
