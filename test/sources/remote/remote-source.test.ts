// The source of machines elsewhere with a real relay, reached by a command that only changes the home folder.
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Envelope } from '../../../src/ipc/envelope.ts';
import type { Acknowledgement } from '../../../src/ipc/frames.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { RemoteSource } from '../../../src/sources/remote/remote-source.ts';
import { temporaryFolder } from '../../support/home.ts';
import { run } from '../../support/programs.ts';
import { until } from '../../support/wait.ts';

const HOOKS = new URL('../../../hooks/', import.meta.url).pathname;

/** One machine, `box`. `accept`: what becomes of an input. */
async function connected(accept: (envelope: Envelope) => Acknowledgement = ({ id }) => ({ ok: true, id })) {
  const home = temporaryFolder('belfry far ');
  mkdirSync(join(home, '.local/share/belfry'), { recursive: true });
  copyFileSync(join(HOOKS, 'relay.sh'), join(home, '.local/share/belfry/relay.sh'));
  const taken: Envelope[] = [];
  const aside: string[] = [];
  const source = new RemoteSource({
    clock: systemClock,
    env: process.env,
    owner: () => ({ id: 'own', name: 'LAPTOP' }),
    random: () => 0,
    log: () => undefined,
    setAside: async (_id, _bytes, why) => void aside.push(why),
    promptOpen: () => false,
  });
  onTestFinished(() => source.close());
  await source.configure({ box: { run: ['env', `HOME=${home}`], connect: 'always', answer: false } });
  await source.start(
    async (envelope) => {
      taken.push(envelope);
      return accept(envelope);
    },
    () => Promise.reject(new Error('nothing is asked here')),
  );
  const state = () => source.status()[0]?.state;
  await until(() => state() === 'connected', 'the connection');
  const far = join(home, '.local/state/belfry/far');
  const hook = (input: string, agent = 'claude') =>
    run(
      '/bin/sh',
      ['-c', `set -- - /nowhere --agent ${agent}; . '${HOOKS}fast.sh'; exit 0`],
      { HOME: home, PATH: '/usr/bin:/bin' },
      { input },
    );
  return { source, state, taken, aside, hook, folder: join(far, readdirSync(far)[0] ?? '') };
}

test('an input of a machine elsewhere goes by its name here, whatever it says of itself', async () => {
  const { taken, hook } = await connected();
  await hook('{"session_id":"s","host":"laptop","origin":{"host":"laptop"}}');
  await until(() => taken.length === 1, 'the input');
  expect(taken[0]).toMatchObject({ agent: 'claude', origin: { host: 'box', remote: 'box', seen: true } });
  expect(taken[0]?.origin.ancestors?.map(({ pid }) => pid)).toContain(process.pid);
});

test('what is not journaled is handed over again, under the same id, and before what came later', async () => {
  let refusals = 2;
  const { taken, hook, source } = await connected(({ id }) =>
    refusals-- > 0 ? { ok: false, error: 'full' } : { ok: true, id },
  );
  await hook('{"n":1}');
  await until(() => source.status()[0]?.reason === 'journal', 'the refusal');
  await hook('{"n":2}');
  await until(() => taken.length >= 4, 'both inputs');
  const ids = taken.map(({ raw, id }) => [Buffer.from(raw).toString(), id]);
  expect(new Set(ids.slice(0, 3).map(String)).size).toBe(1);
  expect(ids.at(-1)?.[0]).toBe('{"n":2}');
});

test('a test comes through without being an event; what cannot be read is set aside', async () => {
  const { taken, aside, hook, source, folder } = await connected();
  const word = 'a'.repeat(24);
  const heard = source.awaitTest(word, 20_000);
  await hook(word, 'belfry-test');
  expect(await heard).toBeGreaterThanOrEqual(0);
  // One that was here before anybody waited for it has come too; what is journaled after it says that it was.
  const early = 'b'.repeat(24);
  await hook(early, 'belfry-test');
  await hook('{"n":0}');
  await until(() => taken.length === 1, 'what followed it');
  taken.length = 0;
  expect(await source.awaitTest(early, 1)).toBe(0);
  expect(await source.awaitTest(early, 1)).toBeNull();
  writeFileSync(join(folder, 'spool', '999999.open'), 'no header\n#end 999999\n');
  await hook('{"n":1}');
  await until(() => taken.length === 1 && aside.length === 1, 'both');
  expect(aside).toEqual(['header is not JSON']);
});

test('processes are asked for there; nobody is dead while nobody can be asked', async () => {
  const { source, state } = await connected();
  const gone = { pid: process.pid, start: '1' };
  expect(await source.findExited('box', [gone])).toEqual([gone]);
  await source.find('box')?.disconnect();
  expect([state(), await source.findExited('box', [gone]), await source.findExited('other', [gone])]).toEqual([
    'off',
    [],
    [],
  ]);
});
