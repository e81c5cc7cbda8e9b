// What a person does in each scenario, with any client.
import { sleep } from '../../../src/lib/clock.ts';
import { expect } from 'vitest';
import { until } from '../../support/wait.ts';
import type { ScenarioClient } from '../real/client.ts';
import type { Terminal } from '../terminal.ts';
import { ANSWER, type Stage } from './stage.ts';

/** Longer than anything that is held back, but for background work. */
const SILENCE = 3_000;
/** Ms that a machine adds on which several clients of half a gigabyte run at once. */
export const LOAD_ALLOWANCE = 4_000;
/** For what a client does; several run at once. */
const LIMIT = 240_000;
/** Within this a killed client is reported. */
const DEATH_GOAL = 15_000;

/** A person's side of a scenario; returns when nothing more can come. */
export type Play = (stage: Stage, client: ScenarioClient) => Promise<void>;

async function leave(stage: Stage, client: ScenarioClient, terminal: Terminal): Promise<void> {
  // A client may have put an interrupted prompt back.
  await terminal.keys('C-u');
  await terminal.enter(client.leave);
  await terminal.ended(LIMIT);
  await stage.quiet(SILENCE);
}

/** Two at once are one key to a terminal, ms. */
const BETWEEN_KEYS = 400;

/** Waits until the client has asked its model once more. */
async function works(stage: Stage, terminal: Terminal): Promise<void> {
  const before = stage.asked();
  stage.model = 'hang';
  await stage.prompt(terminal, 'Run the tests');
  await until(() => stage.asked() > before, 'the client to ask its model', LIMIT);
}

export const PLAYS = {
  finish: async (stage, client) => {
    const terminal = await stage.open();
    await stage.prompt(terminal, 'Run the tests');
    await terminal.shows(ANSWER, LIMIT);
    await stage.hears(1, terminal);
    await leave(stage, client, terminal);
  },
  permission: async (stage, client) => {
    const terminal = await stage.open();
    await stage.prompt(terminal, 'make the file');
    await terminal.shows(client.asks, LIMIT);
    await stage.hears(1, terminal);
    // Nobody answers: longer than the 6 s after which clients report it once more.
    await stage.quiet(8_000);
    expect(stage.made()).toBe(false);
    await terminal.keys(client.allow);
    await until(() => stage.made(), 'the file');
    await terminal.shows(ANSWER, LIMIT);
    await stage.hears(2, terminal);
    await leave(stage, client, terminal);
  },
  subagent: async (stage, client) => {
    const terminal = await stage.open();
    await stage.prompt(terminal, 'delegate it');
    await until(() => stage.delegated(), 'the subagent to ask its model', LIMIT);
    if (client.turnEndsMeanwhile)
      await until(async () => (await stage.journal()).includes('agent.finished'), 'the turn to end', LIMIT);
    await stage.quiet(SILENCE);
    expect(stage.told().map(({ what }) => what)).toEqual([]);
    stage.release();
    await stage.hears(1, terminal);
    await leave(stage, client, terminal);
  },
  failure: async (stage, client) => {
    const terminal = await stage.open();
    stage.model = 'refuse';
    await stage.prompt(terminal, 'Run the tests');
    await stage.hears(1, terminal);
    await leave(stage, client, terminal);
  },
  interrupt: async (stage, client) => {
    const terminal = await stage.open();
    await works(stage, terminal);
    const interrupted = async (): Promise<boolean> => {
      for (const key of client.interrupt) {
        await terminal.keys(key);
        await sleep(BETWEEN_KEYS);
      }
      return until(() => stage.gaveUp(), 'the client to give up', 5_000).catch(() => false);
    };
    await until(interrupted, 'the interruption', LIMIT);
    await stage.quiet(SILENCE);
    await leave(stage, client, terminal);
  },
  killed: async (stage) => {
    const terminal = await stage.open();
    await works(stage, terminal);
    await stage.atWork();
    const killed = Date.now();
    stage.kill();
    await stage.hears(1);
    const after = (stage.told()[0]?.arrived ?? 0) - killed;
    console.log(`  told ${after} ms after the kill`);
    expect(after).toBeLessThan(DEATH_GOAL + LOAD_ALLOWANCE);
    await stage.quiet(SILENCE);
  },
  headless: async (stage) => {
    const ran = await stage.once('Run the tests');
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain(ANSWER);
    await stage.hears(1);
    await stage.quiet(SILENCE);
  },
} as const satisfies Readonly<Record<string, Play>>;

export type Scenario = keyof typeof PLAYS;
