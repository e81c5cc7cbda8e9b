// Makes docs/notification.png: a picture of one real notification, from a captured input through the built hook and daemon.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BELFRY, bareEnv, hook, run } from '../support/programs.ts';
import { sample } from '../support/samples.ts';
import { startVirtualDesktop } from '../support/virtual-desktop.ts';
import { until } from '../support/wait.ts';

const LOOKS = `[global]
width = 760
height = 300
offset = 16x16
origin = top-left
font = DejaVu Sans 15
padding = 16
horizontal_padding = 20
frame_width = 1
corner_radius = 8
line_height = 4
icon_position = off
format = "<b>%s</b>\\n%b"
[urgency_normal]
format = "<b>%s</b>\\n<span foreground='#c3c9d5'>%b</span>"
background = "#232834"
foreground = "#f3f5f9"
frame_color = "#4b5468"
timeout = 0
`;

const picture = new URL('../../docs/notification.png', import.meta.url).pathname;
const home = mkdtempSync(join(tmpdir(), 'belfry-picture-'));
const project = join(home, 'payments');
mkdirSync(join(project, '.git'), { recursive: true });
writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/refunds\n');
const screen = await startVirtualDesktop({ settings: LOOKS, size: [900, 200] });
const daemon = run(process.execPath, [BELFRY, 'daemon'], bareEnv(home, screen.env));
try {
  const { input } = sample('claude', 'PermissionRequest', 'tui-permission-deny');
  const wanted = {
    ...input,
    cwd: project,
    tool_name: 'Bash',
    tool_input: { command: 'npm run migrate -- --env staging', description: 'Run the migrations' },
  };
  await until(async () => (await run(process.execPath, [BELFRY, 'status'], bareEnv(home))).code === 0, 'the daemon');
  await hook(home, JSON.stringify(wanted));
  await until(async () => (await screen.displayed()) === 1, 'the notification');
  await new Promise((resolve) => setTimeout(resolve, 500)); // until it is drawn; nothing says when that is
  await screen.screenshot(
    picture,
    '-trim',
    '+repage',
    '-strip',
    '+dither',
    '-colors',
    '64',
    '-define',
    'png:compression-level=9',
  );
} finally {
  await run(process.execPath, [BELFRY, 'stop'], bareEnv(home));
  await daemon;
  await screen.close();
  rmSync(home, { recursive: true, force: true });
}
