// "Do not disturb" as each desktop says it: what is heard waits then, what is urgent never does.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDueJudge } from '../../src/daemon/channels/due-judge.ts';
import { UNKNOWN_PRESENCE } from '../../src/model/presence/presence.ts';
import { isFocusOn } from '../../src/presence/do-not-disturb.ts';
import { createDoNotDisturb } from '../../src/presence/index.ts';
import { decidingOf } from '../support/deciding.ts';
import { madeContent, madeDelivery } from '../support/made.ts';
import { pipelineHarness } from '../support/pipeline-harness.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dnd-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const program = (name: string, script: string): void =>
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

test.runIf(process.platform === 'linux').each([
  ['dunst', '', 'dunstctl', 'echo true', true],
  ['dunst that shows', '', 'dunstctl', 'echo false', false],
  ['another server than dunst', '', 'dunstctl', 'echo true; exit 1', false],
  ['mako', 'sway', 'makoctl', 'printf "default\\ndo-not-disturb\\n"', true],
  ['mako as it is', 'sway', 'makoctl', 'echo default', false],
  ['swaync', 'Hyprland', 'swaync-client', 'echo true', true],
  ['GNOME', 'ubuntu:GNOME', 'gsettings', 'echo false', true],
  ['GNOME with banners', 'GNOME', 'gsettings', 'echo true', false],
  ['KDE', 'KDE', 'busctl', 'echo "b true"', true],
  ['GNOME is not asked by dunst’s program', 'GNOME', 'dunstctl', 'echo true', false],
  ['one that hangs', '', 'dunstctl', 'exec /bin/sleep 60', false],
])('%s', async (_name, desktop, name, script, expected) => {
  program(name, script);
  const env = { PATH: `${folder}:/usr/bin:/bin`, XDG_CURRENT_DESKTOP: desktop };
  // A machine under load may take longer than a real one may.
  const isOn = (): Promise<boolean> => createDoNotDisturb({ platform: 'linux', env, home: folder, now: Date.now })();
  let found = await isOn();
  for (let tries = 0; tries < 40 && found !== expected; tries++) found = await isOn();
  expect(found).toBe(expected);
});

test('macOS', async () => {
  const on = '{"data":[{"storeAssertionRecords":[{"assertionDetails":{}}]}]}';
  expect([isFocusOn(on), isFocusOn('{"data":[{"storeAssertionRecords":[]}]}'), isFocusOn('')]).toEqual([
    true,
    false,
    false,
  ]);
  const isOn = createDoNotDisturb({ platform: 'darwin', env: {}, home: folder, now: Date.now });
  expect(await isOn()).toBe(false); // the file may not be read without permission
});

const CHANNELS =
  '[channels.bell]\ntype = "sound"\n[channels.voice]\ntype = "speech"\n[channels.desk]\ntype = "desktop"\n';

test.each([
  ['bell', 'normal', true],
  ['voice', 'low', true],
  ['bell', 'urgent', false],
  ['desk', 'normal', false],
] as const)('%s, %s: waits: %s', async (channel, urgency, waits) => {
  const { store, clock, config } = await pipelineHarness(CHANNELS);
  const judge = createDueJudge({
    ...decidingOf(store, clock.now, () => config),
    store,
    config: () => config,
    home: '/home/dev',
    deciding: decidingOf(store, clock.now, () => config),
    wakeTimers: () => undefined,
    presence: async () => UNKNOWN_PRESENCE,
    doNotDisturb: async () => true,
  });
  const delivery = madeDelivery({ channel, unless: 'resolved', content: madeContent({ urgency }) });
  const asked = await judge.ask({ ...delivery, token: 'held', notification: null, silences: [], isLast: true });
  expect(asked).toEqual(
    waits
      ? { verdict: 'wait', until: clock.now() + 30_000, note: 'waits: "do not disturb" is on' }
      : { verdict: 'go', note: null },
  );
});
