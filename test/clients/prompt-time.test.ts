// A prompt that is answered at its terminal: from the key to the tool's run, with answering installed and without, in turn. Nobody who sits there waits for it.
// BELFRY_PROMPTS: how many each; 10 is the whole form, with all clients.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../support/wait.ts';
import { answerWorld } from './answer-world.ts';
import { ASKED_CLIENTS } from './asked-clients.ts';
import { codexTool, copilotTool, opencodeTool, qwenTool } from './asked-tools.ts';
import { insideWorld } from './inside-world.ts';
import { joinedWorld } from './joined-world.ts';
import { codex } from './real/codex.ts';
import { copilot } from './real/copilot.ts';
import { opencode } from './real/opencode.ts';
import { qwen } from './real/qwen.ts';
import { isIdle } from './terminal.ts';

const SHORT = 3;
const PROMPTS = Number(process.env['BELFRY_PROMPTS'] ?? SHORT);
const plain = (name: string) => [name];

/** The same clients, which Belfry only hears. */
const WITHOUT: Readonly<Record<string, (typeof ASKED_CLIENTS)[number]['world']>> = {
  claude: () => answerWorld([]),
  opencode: () => insideWorld(opencode, opencodeTool, [], []),
  codex: () => joinedWorld(codex, { choose: codexTool, install: [], start: plain }),
  copilot: () => insideWorld(copilot, copilotTool, [], []),
  qwen: () => joinedWorld(qwen, { choose: qwenTool, install: [], start: plain }),
};
/** What is no more than the noise of a busy machine, ms; a hook that held the key up would do so for 120 at least. */
const NOISE = 100;

const middle = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;

it.each(PROMPTS > SHORT ? ASKED_CLIENTS : ASKED_CLIENTS.slice(0, 1))(
  '$client: the key that allows is taken as soon as without',
  async ({ client, world, dialog, yes }) => {
    const worlds = [await world(), (await WITHOUT[client]?.()) ?? null];
    const sides = [];
    for (const w of worlds) {
      if (w === null) return;
      sides.push({ w, terminal: await w.open(), times: [] as number[] });
    }
    for (let n = 0; n < PROMPTS; n++)
      for (const { w, terminal, times } of sides) {
        const file = join(w.project, `prompt-${n}.txt`);
        await w.prompt(terminal, `touch prompt-${n}.txt`);
        await terminal.shows(dialog);
        await terminal.rests((screen) => screen.includes(dialog));
        const pressed = Date.now();
        await terminal.keys(yes);
        await until(() => existsSync(file), `the file of ${client}`);
        times.push(statSync(file).birthtimeMs - pressed);
        await terminal.rests((screen) => isIdle(screen) && !screen.includes(dialog));
      }
    const [answering = 0, without = 0] = sides.map(({ times }) => middle(times));
    const all = sides.map(({ times }) => times.map(Math.round).join(' ')).join(' | ');
    console.log(
      `${client}, key to run, median of ${PROMPTS}: ${answering.toFixed(0)} ms with, ${without.toFixed(0)} without (${all})`,
    );
    expect(answering - without).toBeLessThan(NOISE);
  },
);
