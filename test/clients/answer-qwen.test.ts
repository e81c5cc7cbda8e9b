// The real Qwen, started by `belfry run`, leaves: its files go, and a reply is refused.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pathsBelow } from '../support/home.ts';
import { qwenTool } from './asked-tools.ts';
import { joinedWorld, OWN } from './joined-world.ts';
import { qwen } from './real/qwen.ts';

it('it leaves: its files go, and a reply is refused', async () => {
  const w = await joinedWorld(qwen, { choose: qwenTool, install: [], start: (client) => [...OWN, 'run', client] });
  if (w === null) return;
  const terminal = await w.open();
  const folder = join(pathsBelow(w.home).state, 'wrapped');
  await w.prompt(terminal, 'hello');
  const last = await w.asked('text');
  await terminal.shows(qwen.ready);
  expect(readdirSync(folder)).toHaveLength(1);
  await terminal.enter(qwen.leave);
  await terminal.ended(60_000);
  expect(readdirSync(folder)).toEqual([]);
  await w.settled(last.id, 'closed');
  expect((await w.belfry('reply', last.id, 'go on')).code).toBe(5);
  expect(w.log()).not.toContain('cannot be followed');
  expect(existsSync(join(w.home, '.qwen', 'settings.json'))).toBe(true);
});
