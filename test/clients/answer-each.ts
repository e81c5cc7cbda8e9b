// Plays the scenarios of a session with each real client, answered in one way.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'vitest';
import { ASKED_CLIENTS } from './asked-clients.ts';
import { ANSWERS, SCENARIOS } from './elsewhere-scenarios.ts';
import type { ElsewhereWay } from './elsewhere-ways.ts';

/** The whole form; else each client is answered by the command line, and one of them in each other way: what ends a question is the same in each. */
const isWhole = process.env['BELFRY_TORTURE'] === 'whole';

/** Registers a test for each client. `name`: of the way; `few`: clients that it is tried with in the short form, where they are only answered. */
export function answerEach(name: string, start: () => Promise<ElsewhereWay>, few?: readonly string[]): void {
  it.each(ASKED_CLIENTS.filter(({ client }) => isWhole || few === undefined || few.includes(client)))(
    `$client, answered by ${name}`,
    async (one) => {
      const w = await one.world();
      if (w === null) return;
      const way = await start();
      writeFileSync(join(w.home, 'config.toml'), way.config(), { mode: 0o600 });
      await way.begin(w.home);
      const scene = { one, w, way, terminal: await w.open() };
      const scenarios = isWhole || few === undefined ? SCENARIOS : ANSWERS;
      for (const scenario of scenarios.filter(({ has }) => has?.(one, name) ?? true)) {
        const from = performance.now();
        await scenario.play(scene).catch((error: unknown) => {
          throw new Error(`${one.client}, ${name}: ${scenario.name}`, { cause: error });
        });
        console.log(`${one.client}, ${name}: ${scenario.name}: ${(performance.now() - from).toFixed(0)} ms`);
      }
    },
  );
}
