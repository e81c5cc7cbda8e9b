// Many agents at once that wait for an answer: what their hooks take, and that each gets its own.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { permission, startWaiting } from '../support/answering.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry, startDaemon } from '../support/programs.ts';

const HOOKS = 20;
/** Of all of them, MB. */
const MOST = 150;

/** Memory of a process that no other one shares, MB. */
function privateMb(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kb = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]);
  return (kb('Private_Clean') + kb('Private_Dirty')) / 1_024;
}

test.runIf(process.platform === 'linux')(`${HOOKS} hooks that wait take at most ${MOST} MB in all`, async () => {
  const home = temporaryFolder();
  await startDaemon(home);
  const waiting: Awaited<ReturnType<typeof startWaiting>>[] = [];
  for (let i = 0; i < HOOKS; i++) waiting.push(await startWaiting(home, permission(`session-${i}`)));
  const each = waiting.map(({ process: { pid = 0 } }) => privateMb(pid));
  const all = each.reduce((sum, mb) => sum + mb, 0);
  console.log(
    `${HOOKS} waiting hooks: ${all.toFixed(0)} MB of private memory, ${Math.max(...each).toFixed(1)} at most`,
  );
  expect(all).toBeLessThanOrEqual(MOST);
  for (const [i, { question, ended }] of waiting.entries()) {
    const answer = i % 2 === 0 ? 'allow' : 'deny';
    expect(await belfry(home, ['answer', question.id, answer])).toMatchObject({ code: 0 });
    expect((await ended).stdout).toContain(`"behavior":"${answer}"`);
  }
});
