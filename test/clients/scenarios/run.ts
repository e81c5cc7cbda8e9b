// The scenarios with one client: one test each, its measure what arrived at the receiver.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareEnv, run } from '../../support/programs.ts';
import { removeFolder } from '../../support/remove-folder.ts';
import { obtain } from '../obtain.ts';
import type { ScenarioClient } from '../real/client.ts';
import { LIMITS, SCENARIOS } from './expected.ts';
import { LOAD_ALLOWANCE, PLAYS, type Scenario } from './play.ts';
import { stage } from './stage.ts';

/** From a hook's start to the receiver: 0.25 s, or what is held back on purpose, which is 1.5 s at most. */
const DELAY_GOAL = 1_500;

/** All scenarios; skipped, with the reason, where the client or tmux cannot be had. */
export function testScenarios(client: ScenarioClient): void {
  describe(`${client.name} ${client.version}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'belfry-client-'));
    let had: Awaited<ReturnType<typeof obtain>> = { reason: 'not asked for' };
    beforeAll(async () => {
      const tmux = await run('sh', ['-c', 'command -v tmux'], bareEnv(folder));
      had = tmux.code === 0 ? await obtain(client, folder) : { reason: 'tmux is needed' };
    });
    afterAll(() => removeFolder(folder));

    it.for(Object.keys(SCENARIOS) as Scenario[])('%s', async (scenario, { skip }) => {
      if ('reason' in had) return skip(had.reason);
      const world = await stage(client, had.path);
      await PLAYS[scenario](world, client);
      const told = world.told();
      console.log(
        `${client.name} ${scenario}: ${told.map(({ what, at, delay, title }) => `${what} "${title}" at ${at} s (+${delay} ms)`).join(', ') || 'nothing'}`,
      );
      const limit = LIMITS[client.name]?.[scenario];
      const { wanted } = SCENARIOS[scenario];
      const mayArrive = [limit?.arrives ?? wanted, ...(limit?.mayBeWanted ? [wanted] : [])];
      expect(mayArrive, await world.journal()).toContainEqual(told.map(({ what }) => what));
      if (scenario !== 'subagent')
        for (const { delay } of told) expect(delay).toBeLessThan(DELAY_GOAL + LOAD_ALLOWANCE); // that finish was held back
    });
  });
}
