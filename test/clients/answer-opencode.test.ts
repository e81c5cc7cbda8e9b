// Two sessions of the real client, answered from elsewhere by its plugin: each answer reaches its own.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../support/wait.ts';
import { opencodeTool } from './asked-tools.ts';
import { insideWorld } from './inside-world.ts';
import { opencode } from './real/opencode.ts';
import type { Terminal } from './terminal.ts';

it('two sessions: each answer reaches its own', async () => {
  const world = await insideWorld(opencode, opencodeTool);
  if (world === null) return;
  const made = (name: string) => until(() => existsSync(join(world.project, name)), `the file ${name}`);
  const asks = async (terminal: Terminal, name: string) => {
    const before = await world.questions();
    await world.prompt(terminal, `touch ${name}`);
    await terminal.shows(opencode.asks);
    return world.asked('permission', before);
  };
  const [one, two] = [await world.open(), await world.open()];
  const first = await asks(one, 'one.txt');
  const second = await asks(two, 'two.txt');
  expect(await world.belfry('answer', second.id, 'allow')).toMatchObject({ code: 0 });
  await made('two.txt');
  expect(existsSync(join(world.project, 'one.txt'))).toBe(false);
  await one.shows(opencode.asks);
  expect(await world.belfry('answer', first.id, 'allow')).toMatchObject({ code: 0 });
  await made('one.txt');
});
