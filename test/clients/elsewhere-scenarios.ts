// What happens to a session that is answered from elsewhere: one scenario after the other, the same for each client and each way.
import { expect } from 'vitest';
import { until } from '../support/wait.ts';
import type { AskedClient } from './asked-clients.ts';
import { QUESTION } from './asked-tools.ts';
import {
  asks,
  closed,
  finished,
  isMade,
  kill,
  LIMIT,
  made,
  read,
  rests,
  type Scene,
  startWith,
  yes,
} from './elsewhere-scene.ts';

/** What an agent does that hears what nobody was to send any more. */
const WRONG = 'wrong.txt';

interface Scenario {
  readonly name: string;
  /** Left away: each client has it. */
  readonly has?: (one: AskedClient, way: string) => boolean;
  readonly play: (scene: Scene) => Promise<void>;
}

/** What somebody answers. */
export const ANSWERS: readonly Scenario[] = [
  {
    name: 'allow',
    play: async (scene) => {
      const { one, way } = scene;
      const { subject } = await asks(scene, 'allowed.txt');
      expect(subject).toMatchObject({
        tool: one.tool,
        text: expect.stringMatching(/^touch allowed\.txt$/m),
        partial: null,
      });
      const from = performance.now();
      await way.allow('touch allowed.txt');
      await made(scene, 'allowed.txt');
      console.log(`${one.client}, from the answer to the file: ${(performance.now() - from).toFixed(0)} ms`);
    },
  },
  {
    name: 'the next instruction; deny with words',
    play: async (scene) => {
      const { w, way, terminal, one } = scene;
      const idle = await w.asked('text');
      await way.goOn('touch replied.txt');
      await terminal.shows(one.dialog);
      await way.deny('touch replied.txt', 'use notes.md instead');
      await read(scene, 'use notes.md instead');
      expect(isMade(scene, 'replied.txt')).toBe(false);
      await w.asked('text', [idle]);
    },
  },
  {
    name: 'an option of a question',
    has: ({ asks: what }) => what !== 'nothing',
    play: async (scene) => {
      const { w, way, terminal } = scene;
      const before = await w.questions();
      await w.prompt(terminal, 'ask me');
      await way.choose(QUESTION, 'Red');
      await read(scene, 'Red');
      await w.asked('text', before);
    },
  },
  {
    name: 'words of one’s own to a question',
    has: ({ asks: what }) => what === 'words',
    play: async (scene) => {
      const { w, way, terminal } = scene;
      const before = await w.questions();
      await w.prompt(terminal, 'ask me again'); // other words than before: what is typed is sent once it is seen
      await w.asked('choice', before);
      await way.say(QUESTION, 'as green as grass');
      await read(scene, 'as green as grass');
      await w.asked('text', before);
    },
  },
];

const ends: readonly Scenario[] = [
  {
    name: 'yes at the terminal',
    play: async (scene) => {
      await rests(scene);
      const before = await scene.w.questions();
      const question = await asks(scene, 'first.txt');
      await yes(scene);
      await made(scene, 'first.txt');
      expect(await closed(scene, question, 'first.txt')).toBe('answered at the terminal');
      await finished(scene, before);
    },
  },
  {
    name: 'a prompt at the terminal, then Esc in its dialog',
    play: async (scene) => {
      const question = await asks(scene, 'second.txt');
      await scene.way.offersNoMore(`touch ${WRONG}`);
      await scene.terminal.keys('Escape');
      await rests(scene);
      await closed(scene, question, 'second.txt');
      expect(isMade(scene, 'second.txt')).toBe(false);
    },
  },
  {
    name: 'another conversation in the same terminal',
    play: async (scene) => {
      const { w, way, terminal, one } = scene;
      const before = await w.questions();
      await asks(scene, 'before.txt');
      await way.allow('touch before.txt');
      await made(scene, 'before.txt');
      await finished(scene, before);
      await rests(scene);
      await terminal.enter(one.clear);
      if (one.leaves === 'at once') await way.offersNoMore(`touch ${WRONG}`);
      if (one.cleared !== undefined) await terminal.shows(one.cleared);
      await rests(scene);
      await asks(scene, 'cleared.txt');
      if (one.leaves === 'with a prompt') await way.offersNoMore(`touch ${WRONG}`);
      if (one.leaves === 'never') {
        await way.goOn('say that this is the first one'); // which still runs, out of sight
        await read(scene, 'say that this is the first one');
        expect(await terminal.screen()).not.toContain('the first one');
      }
      await way.allow('touch cleared.txt');
      await made(scene, 'cleared.txt');
      await rests(scene);
    },
  },
  {
    name: 'the daemon is killed',
    play: async (scene) => {
      const { w, way, terminal, one } = scene;
      const question = await asks(scene, 'third.txt');
      // A message whose arrival was not recorded keeps its buttons: it is not known to be there.
      await until(async () => !(await w.belfry('deliveries', '--json')).stdout.includes('leased'), 'the record');
      await w.daemon.stop('SIGKILL');
      await terminal.shows(one.dialog);
      w.daemon = await w.startDaemon();
      if (one.resumes)
        await until(
          async () => {
            await way.allow('touch third.txt').catch((error: unknown) => console.log(String(error)));
            return made(scene, 'third.txt', 3_000).catch(() => false);
          },
          'the next daemon to hand the answer over',
          240_000,
        );
      else {
        await closed(scene, question, 'third.txt');
        await yes(scene);
        await made(scene, 'third.txt');
      }
      await rests(scene);
    },
  },
  {
    name: 'the time is over',
    play: async (scene) => {
      await startWith(scene, 'wait = "5s"');
      const question = await asks(scene, 'fourth.txt');
      expect(await closed(scene, question, 'fourth.txt')).toBe('the time to answer was over');
      await scene.terminal.shows(scene.one.dialog);
      await yes(scene);
      await made(scene, 'fourth.txt');
      await rests(scene);
      await startWith(scene);
    },
  },
  {
    name: 'answered at the terminal while no daemon runs',
    has: (_one, way) => way === 'the command line', // the next daemon waits 15 s for it to be asked again
    play: async (scene) => {
      const question = await asks(scene, 'fifth.txt');
      await scene.w.daemon.stop('SIGKILL');
      await yes(scene);
      await made(scene, 'fifth.txt');
      scene.w.daemon = await scene.w.startDaemon();
      await closed(scene, question, 'fifth.txt');
      await rests(scene);
    },
  },
  {
    name: 'the client is killed while it asks',
    play: async (scene) => {
      const question = await asks(scene, 'sixth.txt');
      await kill(scene);
      await closed(scene, question, 'sixth.txt');
      const isOver = async (): Promise<boolean> => (await scene.way.open()).length === 0;
      await until(isOver, 'nothing of it to be open', LIMIT).catch(async (error: Error) => {
        throw new Error(`${error.message}: ${(await scene.way.open()).join('\n')}`);
      });
      expect(isMade(scene, 'sixth.txt')).toBe(false);
    },
  },
  {
    name: 'a one-shot run',
    play: async ({ w, way }) => {
      const all = await w.questions();
      const ran = await w.once('hello');
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      expect(await w.belfry('flush')).toMatchObject({ code: 0 });
      expect((await w.questions()).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
      expect(await way.open()).toEqual([]);
    },
  },
  {
    name: 'what nobody was to send any more reached nobody',
    play: async (scene) => {
      expect(scene.w.model.prompts.filter((prompt) => prompt.includes(WRONG))).toEqual([]);
    },
  },
];

/** In their order. */
export const SCENARIOS: readonly Scenario[] = [...ANSWERS, ...ends];
