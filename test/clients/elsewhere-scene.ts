// One session of a real client that is answered from elsewhere, and what happens in it.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Question } from '../../src/model/question/question.ts';
import { until } from '../support/wait.ts';
import type { AskedClient, AskedWorld } from './asked-clients.ts';
import type { ElsewhereWay } from './elsewhere-ways.ts';
import { isIdle, type Terminal } from './terminal.ts';

/** Longest that a client is waited for, ms. */
export const LIMIT = 60_000;
/** After this long without its dialog a prompt is sent once more, ms. */
const PATIENCE = 20_000;

/** One session, and who answers it. */
export interface Scene {
  readonly one: AskedClient;
  readonly w: AskedWorld;
  readonly way: ElsewhereWay;
  readonly terminal: Terminal;
}

export const made = ({ w }: Scene, name: string, limit = LIMIT) =>
  until(() => existsSync(join(w.project, name)), `the file ${name}`, limit);
export const isMade = ({ w }: Scene, name: string): boolean => existsSync(join(w.project, name));
export const read = ({ w }: Scene, text: string) =>
  until(() => w.model.prompts.some((prompt) => prompt.includes(text)), `the model to read ${text}`, LIMIT);
/** Nothing is asked or done there. */
export const rests = ({ terminal, one }: Scene) =>
  terminal.rests((screen) => isIdle(screen) && !screen.includes(one.dialog));
export const yes = ({ terminal, one }: Scene) => terminal.press(one.yes, (screen) => !screen.includes(one.dialog));

/** The open question about a file that it wants to make, which can be answered there; its dialog is there too. */
export async function asks(scene: Scene, name: string): Promise<Question> {
  const { w, terminal, one, way } = scene;
  const before = await w.questions();
  await w.prompt(terminal, `touch ${name}`);
  // What is sent while a turn is being stopped stays where it was typed.
  await terminal.shows(one.dialog, PATIENCE).catch(() => terminal.keys('Enter'));
  await terminal.shows(one.dialog);
  const question = await w.asked('permission', before);
  await way.shows(`touch ${name}`);
  return question;
}

/** A turn that is over, so that the next instruction can be given; `before`: the questions before the turn ended. */
export async function finished({ w, way }: Scene, before: readonly Question[]): Promise<void> {
  await w.asked('text', before);
  await way.offers();
}

export async function closed({ w, way }: Scene, { id }: Question, name: string): Promise<unknown> {
  const { closed: why } = await w.settled(id, 'closed');
  await way.ended(`touch ${name}`);
  return why;
}

/** What holds the session. */
export async function kill({ w, one: { holder }, terminal }: Scene): Promise<void> {
  const pids = holder === undefined || !('pidsOf' in w) ? [await terminal.pid()] : await w.pidsOf(holder);
  expect(pids).not.toEqual([]);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}

/** Settings with these lines of [answer], and a daemon that has them. */
export async function startWith({ w, way }: Scene, answer?: string): Promise<void> {
  await w.daemon.stop();
  writeFileSync(join(w.home, 'config.toml'), way.config(answer), { mode: 0o600 });
  w.daemon = await w.startDaemon();
}
