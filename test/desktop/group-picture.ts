// Makes docs/pictures/group.png, a picture of a group that has grown, and docs/pictures/digest.png, of the digest after a mute: finishes of several projects through
// the built hook and daemon.
import { listed } from '../support/lists.ts';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BELFRY, bareEnv, belfry, hook, run } from '../support/programs.ts';
import { sample } from '../support/samples.ts';
import { startVirtualDesktop } from '../support/virtual-desktop.ts';
import { until } from '../support/wait.ts';
import { COLOURS, docs, drawn, LOOKS } from './looks.ts';

const SETTINGS = `
[channels.desk]
type = "desktop"
[[routes]]
to = ["desk"]
group = { by = ["kind"], wait = "1s", every = "3s" }
`;

const home = mkdtempSync(join(tmpdir(), 'belfry-picture-'));
writeFileSync(join(home, 'config.toml'), SETTINGS, { mode: 0o600 });
const screen = await startVirtualDesktop({ settings: LOOKS, size: [820, 275] });
const daemon = run(process.execPath, [BELFRY, 'daemon'], bareEnv(home, screen.env));

function folder(project: string): string {
  const path = join(home, project);
  mkdirSync(join(path, '.git'), { recursive: true });
  writeFileSync(join(path, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  return path;
}
const { input: stop } = sample('claude', 'Stop', 'print-plain');
const finish = (project: string): Promise<unknown> =>
  hook(home, JSON.stringify({ ...stop, session_id: project, cwd: folder(project) }));
const ask = (project: string): Promise<unknown> => {
  const { input } = sample('claude', 'PermissionRequest', 'tui-permission-deny');
  const tool = { tool_name: 'Bash', tool_input: { command: 'npm publish', description: 'Publish it' } };
  return hook(home, JSON.stringify({ ...input, ...tool, session_id: project, cwd: folder(project) }));
};
const shows = (title: string) => async (): Promise<boolean> =>
  (await belfry(home, ['deliveries', '--json'])).stdout.includes(title);

try {
  await until(async () => (await run(process.execPath, [BELFRY, 'status'], bareEnv(home))).code === 0, 'the daemon');
  for (const project of ['api', 'web']) await finish(project);
  await drawn(screen, 1);
  await finish('infra');
  await until(shows('3 sessions finished'), 'the third');
  await until(async () => !JSON.stringify(await listed(home, ['deliveries'])).includes('"leased"'), 'its end');
  await drawn(screen, 1);
  await screen.screenshot(docs('group'), '-trim', '+repage', ...COLOURS);
  await belfry(home, ['ack', '--all']);
  await drawn(screen, 0);
  await belfry(home, ['mute']);
  await ask('billing');
  for (const project of ['search', 'mobile']) await finish(project);
  await until(shows('"mute:'), 'what is held');
  await until(async () => (await listed<unknown[]>(home, ['events'])).length === 6, 'all');
  await belfry(home, ['unmute']);
  await drawn(screen, 1);
  await screen.screenshot(docs('digest'), '-trim', '+repage', ...COLOURS);
} finally {
  await run(process.execPath, [BELFRY, 'stop'], bareEnv(home));
  await daemon;
  await screen.close();
  rmSync(home, { recursive: true, force: true });
}
