// Races with real clients: a key at the terminal and an answer from elsewhere in the same moment. What is called answered was taken, and whoever came too late, or was not confirmed, hears it.
// BELFRY_RACES: how many a client; 20 is the whole form.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { InterfaceError } from '../../src/http/api/client.ts';
import { sleep } from '../../src/lib/clock.ts';
import type { Question } from '../../src/model/question/question.ts';
import { visit } from '../support/interface.ts';
import { until } from '../support/wait.ts';
import { type AskedClient, ASKED_CLIENTS } from './asked-clients.ts';
import { QUESTION } from './asked-tools.ts';
import { isIdle } from './terminal.ts';

const RACES = Number(process.env['BELFRY_RACES'] ?? 4);

/** Which key, against which answer: the opposite one, so that what happened says who won. */
type Kind = 'Esc and allow' | 'Yes and deny';

/** The person and the terminal come nearer to each other from race to race. */
class Aim {
  /** Ms that the answer comes later than the key; negative: sooner. */
  delay = 0;
  #step: number;
  readonly #least: number;
  #last: boolean | null = null;

  /** `looks`: ms after which the client looks for an answer at the latest. */
  constructor(looks: number) {
    this.#step = Math.max(60, looks / 2);
    this.#least = this.#step / 8;
  }

  won(elsewhere: boolean): void {
    if (this.#last !== null && this.#last !== elsewhere) this.#step = Math.max(this.#least, this.#step / 2);
    this.#last = elsewhere;
    this.delay += elsewhere ? this.#step : -this.#step;
  }
}

/** What whoever answered was told. */
const TOLD: readonly [string, RegExp][] = [
  ['answered', /^$/],
  ['terminal', /answered at the terminal/],
  ['terminal', /nothing was sent/],
  ['unconfirmed', /the agent did not confirm it/],
];
const toldBy = (detail: string): string => TOLD.find(([, words]) => words.test(detail))?.[0] ?? detail;

/** What an answer came to: empty, or why not. */
const refusalOf = (given: Promise<unknown>): Promise<string> =>
  given.then(
    () => '',
    (error: unknown) => {
      if (error instanceof InterfaceError) return String(error.problem.detail);
      throw error;
    },
  );

/** Answers that the client notes as taken from us. */
function notedAllows(records: AskedClient['records'], home: string): number {
  if (records === null) return 0;
  const folder = join(home, records.folder);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter(records.isAllow).length;
}

it.each(ASKED_CLIENTS)(
  '$client: a key and an answer at once',
  async ({ client, world, dialog, yes, looks, records }) => {
    const w = await world();
    if (w === null) return;
    const { call } = await visit(w.home);
    const terminal = await w.open();
    const aims: Record<Kind, Aim> = { 'Esc and allow': new Aim(looks), 'Yes and deny': new Aim(looks) };
    const denied: string[] = [];
    const counts: Record<string, number> = {};
    const made = (name: string): boolean => existsSync(join(w.project, name));
    const row = async (id: string): Promise<Question | undefined> => (await w.questions()).find((one) => one.id === id);

    for (let n = 0; n < RACES; n++) {
      const kind: Kind = n % 2 === 0 ? 'Esc and allow' : 'Yes and deny';
      const [name, words] = [`race-${n}.txt`, `refused-${n}`];
      const before = await w.questions();
      await w.prompt(terminal, `touch ${name}`);
      await terminal.shows(dialog);
      const { id } = await w.asked('permission', before);
      const shown = async () => (await call('questions.list', {})).questions.find((one) => one.id === id);
      const { seen } = await until(shown, 'the question over HTTP');
      const answer = kind === 'Esc and allow' ? { type: 'allow' as const } : { type: 'deny' as const, message: words };
      const noted = notedAllows(records, w.home);
      const { delay } = aims[kind];
      const press = async (): Promise<void> => {
        await sleep(-delay);
        await terminal.keys(kind === 'Esc and allow' ? 'Escape' : yes);
      };
      const given = sleep(delay).then(() => refusalOf(call('questions.answer', { id, seen, answer })));
      const [, detail] = await Promise.all([press(), given]);
      await terminal.rests((screen) => isIdle(screen) && !screen.includes(dialog));
      const told = toldBy(detail);
      const ran = made(name);
      console.log(`${client}: ${kind}, ${delay.toFixed(0)} ms: ${told} (${detail}); it ran: ${ran}`);
      const count = `${kind}: ${told}`;
      counts[count] = (counts[count] ?? 0) + 1;
      aims[kind].won(ran === (kind === 'Esc and allow'));

      const { state, answeredBy, closed } = (await row(id)) ?? {};
      if (told === 'answered') {
        expect(state).toBe('answered');
        // An Esc may stop what was just allowed before it has run: then the client's own records say that it took the answer.
        const isTaken = kind === 'Esc and allow' && !ran && notedAllows(records, w.home) > noted;
        expect(ran || isTaken).toBe(kind === 'Esc and allow');
        if (kind === 'Yes and deny') denied.push(words);
      } else {
        expect([state, answeredBy, closed]).toEqual(['closed', null, expect.any(String)]);
        if (told === 'terminal') expect(ran).toBe(kind === 'Yes and deny');
        else expect(told).toBe('unconfirmed');
      }
      await terminal.keys('C-u'); // a key that came late was typed
    }
    for (const words of denied)
      await until(() => w.model.prompts.some((prompt) => prompt.includes(words)), `the model to read ${words}`);
    console.log(`${client}, ${RACES} races: ${JSON.stringify(counts)}`);
  },
);

it('codex: a question, answered at its terminal and from elsewhere at once', async () => {
  const w = await ASKED_CLIENTS.find(({ client }) => client === 'codex')?.world();
  if (!w) return;
  const { call } = await visit(w.home);
  const terminal = await w.open();
  const aim = new Aim(0);
  const counts: Record<string, number> = {};
  for (let n = 0; n < RACES; n++) {
    const before = await w.questions();
    await w.prompt(terminal, `ask me ${n}`);
    await terminal.shows(QUESTION);
    const { id } = await w.asked('choice', before);
    const { seen } = await until(
      async () => (await call('questions.list', {})).questions.find((one) => one.id === id),
      'the question over HTTP',
    );
    const words = `as green as ${n}`;
    const answer = { type: 'choose' as const, choices: [words] };
    const { delay } = aim;
    const [, detail] = await Promise.all([
      sleep(-delay).then(() => terminal.keys('Enter')),
      sleep(delay).then(() => refusalOf(call('questions.answer', { id, seen, answer }))),
    ]);
    await w.asked('text', before); // its turn is over: the model has read one of them
    const isRead = w.model.prompts.some((prompt) => prompt.includes(words));
    const told = toldBy(detail);
    console.log(`codex: a question, ${delay.toFixed(0)} ms: ${told} (${detail}); the model read it: ${isRead}`);
    counts[told] = (counts[told] ?? 0) + 1;
    aim.won(isRead);
    expect(told).toBe(isRead ? 'answered' : 'terminal');
  }
  console.log(`codex, ${RACES} races of a question: ${JSON.stringify(counts)}`);
});
