// The real Copilot writes its transcript behind its hooks: each finish quotes the words of its own turn, in new sessions and in long ones.
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { bareEnv, run } from '../support/programs.ts';
import { obtain } from './obtain.ts';
import { copilot } from './real/copilot.ts';
import { stage, wordsOf } from './scenarios/stage.ts';

/** Sessions, and turns of each. */
const [SESSIONS, TURNS] = process.env['BELFRY_TORTURE'] === 'whole' ? [10, 5] : [2, 4];

it(`${SESSIONS * TURNS} finishes quote the words of their own turn`, async ({ skip }) => {
  const folder = temporaryFolder();
  const had = await obtain(copilot, folder);
  if ('reason' in had) return skip(had.reason);
  if ((await run('sh', ['-c', 'command -v tmux'], bareEnv(folder))).code !== 0) return skip('tmux is needed');
  const world = await stage(copilot, had.path);
  const prompts: string[] = [];
  for (let session = 1; session <= SESSIONS; session++) {
    const terminal = await world.open();
    for (let turn = 1; turn <= TURNS; turn++) {
      const prompt = `say number ${session}${String(turn).padStart(2, '0')}`;
      prompts.push(prompt);
      await world.prompt(terminal, prompt);
      await world.hears(prompts.length, terminal);
    }
    await terminal.close();
  }
  const told = world.told().map(({ what, body }) => `${what}: ${body}`);
  const delays = world.told().map(({ delay }) => delay);
  console.log(`delays, ms: ${[...delays].sort((a, b) => a - b).join(' ')}`);
  expect(told).toEqual(
    prompts.map((prompt) => expect.stringMatching(new RegExp(`^finished: .*${wordsOf(prompt)}`, 's'))),
  );
});
