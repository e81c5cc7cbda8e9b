// What `belfry setup` says of answering agents from elsewhere: whom it offers, what becomes of their prompts, and by which channels afterwards.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshHome } from '../support/fresh-home.ts';
import { startNtfyServer } from '../support/ntfy-server.ts';
import { bareEnv, BELFRY, belfry } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { KEYS, onTerminal, type Step } from '../support/terminal.ts';

const { enter, space } = KEYS;

const setup = (home: string, env: Record<string, string | undefined>, steps: readonly Step[]) =>
  onTerminal([process.execPath, BELFRY, 'setup', '--no-service'], bareEnv(home, env), steps);
/** As it was before it was folded. */
const unfolded = (screen: string): string => screen.replaceAll(/[\s│]+/g, ' ');

test('setup offers to answer agents from elsewhere, those that most people use first, and says afterwards how', async () => {
  const { home, env } = freshHome();
  for (const name of ['.factory', '.qwen', '.codex']) mkdirSync(join(home, name));
  for (const name of ['codex', 'qwen'])
    writeFileSync(join(home, 'bin', name), '#!/bin/sh\necho 9.9.9\n', { mode: 0o755 });
  const file = join(home, '.claude', 'settings.json');
  const ask = { ...env, SLACK_WEBHOOK_URL: `${(await startReceiver()).url}/services/x` };
  const done = await setup(home, ask, [
    ['Which agents', enter],
    ['answer from elsewhere, too', `${space}${enter}`],
    ['How should Belfry notify you?', enter],
  ]);
  expect(done.code, done.screen).toBe(0);
  const [, offered = ''] = done.screen.split('Which agents should notify you?');
  const order = ['Claude', 'Codex', 'Qwen'].map((title) => offered.indexOf(title));
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(readFileSync(file, 'utf8')).toContain('belfry-ask');
  expect(readFileSync(join(home, '.codex', 'hooks.json'), 'utf8')).not.toContain('belfry-ask');
  expect(done.screen).toMatch(/Answers +Claude: `belfry answer`, the page/);
  // Droid's program is nowhere: it is not offered, and why is said afterwards.
  expect(done.screen).toMatch(/`belfry install codex qwen --answer`/);
  const [, question = ''] = done.screen.split('answer from elsewhere, too');
  expect(question.split('How should Belfry notify you?')[0]).not.toContain('Droid');
  expect(unfolded(done.screen)).toMatch(
    /Droid cannot be answered from elsewhere yet: its version is not known \(`droid` is neither on your PATH nor where its installer puts it\), and it takes 0\.225\.2 or later; make `droid --version` work in this shell, then run `belfry install droid --answer`/,
  );
  expect(unfolded(done.screen)).toContain(
    'Their own prompts stay usable; only after `belfry away`, until you are back, Codex and Qwen may wait for your answer without showing a prompt.',
  );
});

test('the channels that can carry answers are named, with what lets them', async () => {
  const { home, env } = freshHome();
  const server = await startNtfyServer();
  const folder = join(home, '.config', 'belfry');
  mkdirSync(folder, { recursive: true });
  const ntfy = `type = "ntfy"\nserver = "${server.url}"\nallow_private = true\n`;
  writeFileSync(
    join(folder, 'config.toml'),
    `[channels.phone]\n${ntfy}topic = "a"\nanswer_topic = "b"\n[channels.mute]\n${ntfy}topic = "c"\n[[routes]]\nto = ["phone", "mute"]\n`,
  );
  const steps: readonly Step[] = [
    ['Which agents', enter],
    ['answer from elsewhere, too', `${space}${enter}`],
    ['Add another way to notify you?', enter],
  ];
  const done = await setup(home, env, steps);
  expect(done.code, done.screen).toBe(0);
  const said = unfolded(done.screen);
  expect(said).toContain('Their own prompts stay usable. (Enter: none)');
  const line = `belfry config set answer.channels '["phone"]'`;
  expect(said).toContain(`Answers Claude: \`belfry answer\`, the page; phone, too, after \`${line}\``);
  expect(await belfry(home, ['config', 'set', 'answer.channels', '["phone"]'], { env })).toMatchObject({ code: 0 });
  const again = await setup(
    home,
    env,
    [steps[0], steps[2]].filter((step) => step !== undefined),
  );
  expect(unfolded(again.screen)).toMatch(/Answers Claude: `belfry answer`, the page, phone [^;]/);
});
