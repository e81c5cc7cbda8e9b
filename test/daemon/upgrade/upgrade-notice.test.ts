// After an upgrade one notification says what changed in who is notified of what: once, and never to a new home.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { announceChanges } from '../../../src/daemon/upgrade/upgrade-notice.ts';
import type { Event } from '../../../src/model/event/event.ts';
import { internalEvent } from '../../../src/model/event/internal-event.ts';
import { PLAIN_CONFIG } from '../../support/decide.ts';
import { temporaryFolder } from '../../support/home.ts';
import { homeWithClient } from '../../support/inside-client.ts';
import { pipelineHarness } from '../../support/pipeline-harness.ts';
import { belfry, hook, startDaemon } from '../../support/programs.ts';
import { startReceiver } from '../../support/receiver.ts';
import { until } from '../../support/wait.ts';
import { timersDue } from '../../support/timers.ts';

const OLD = internalEvent({ id: 'old', kind: 'test', at: 1, presetText: { title: 't', body: '' } });

/** A state folder, with what was announced so far. */
async function stateOf(announced: string | null, used: boolean) {
  const state = temporaryFolder();
  const file = join(state, 'announced-changes');
  if (announced !== null) writeFileSync(file, announced);
  const raised: Event[] = [];
  const store = { events: async () => (used ? [{ ...OLD, verdicts: [] }] : []) } as never; // of the store only this is asked
  const start = (changes: readonly string[]): Promise<void> =>
    announceChanges(
      {
        state,
        store,
        config: PLAIN_CONFIG,
        inside: async () => [],
        now: () => 5,
        raise: async (event) => void raised.push(event),
      },
      changes.map((text) => () => text),
    );
  return {
    start,
    file: () => readFileSync(file, 'utf8'),
    raised: () => raised.map(({ presetText }) => presetText?.body),
  };
}

test.each<[string, string | null, boolean, string[], string]>([
  ['a new home', null, false, [], '2\n'],
  ['a home of before there were any', null, true, ['one\ntwo'], '2\n'],
  ['one that knows the first', '1\n', true, ['two'], '2\n'],
  ['one that knows both', '2\n', true, [], '2\n'],
  ['one of a newer version, downgraded', '3\n', true, [], '3\n'],
  ['one whose file is damaged', '\0', true, ['one\ntwo'], '2\n'],
])('%s', async (_name, announced, used, bodies, after) => {
  const { start, file, raised } = await stateOf(announced, used);
  await start(['one', 'two']);
  expect(raised()).toEqual(bodies);
  expect(file()).toBe(after);
  await start(['one', 'two']);
  expect(raised()).toEqual(bodies); // never twice
  await start(['one', 'two', 'three', 'four'].slice(0, Number(after) + 1));
  expect(raised().at(-1)).toBe(['one', 'two', 'three', 'four'][Number(after)]);
});

test('killed between the event and the note of it: the same event again, which is none', async () => {
  const state = temporaryFolder();
  const ids: string[] = [];
  const store = { events: async () => [OLD] } as never; // of the store only this is asked
  for (let i = 0; i < 2; i++) {
    const raise = async ({ id }: Event) => void ids.push(id);
    await announceChanges({ state, store, config: PLAIN_CONFIG, inside: async () => [], now: Date.now, raise }, [
      () => 'one',
    ]);
    rmSync(join(state, 'announced-changes'));
  }
  expect(new Set(ids).size).toBe(1);
});

const CHANNELS = ['team', 'phone']
  .map((name) => `[channels.${name}]\ntype = "webhook"\nurl = "https://example.com"\n`)
  .join('');
const DESK = '[channels.desk]\ntype = "desktop"\n';
const ROUTES = `[[routes]]
match = { kind = ["agent.waiting"] }
to = ["team"]
escalate = [{ after = "2m", to = ["phone"] }]
repeat = "1m"
`;
test.each([
  ['the desktop alone', `${CHANNELS}${DESK}${ROUTES}`, ['desk']],
  ['where the last route leads, whatever it takes', `${CHANNELS}${ROUTES}`, ['team']],
  ['and no route that leads nowhere', `${CHANNELS}${ROUTES}[[routes]]\nto = []\n`, ['team']],
  ['every channel where no route leads anywhere', `${CHANNELS}[[routes]]\nto = []\n`, ['team', 'phone']],
])('it goes to %s, and nothing follows it', async (_where, config, expected) => {
  const harness = await pipelineHarness(config);
  const notice = { ...OLD, kind: 'belfry.upgraded', urgency: 'normal' } as const;
  await harness.ingest.acceptEvent({ event: notice, source: 'belfry', occurrence: null });
  await harness.settle();
  const rows = await harness.store.deliveries({});
  expect(rows.map(({ channel, step }) => [channel, step]).sort()).toEqual(expected.map((name) => [name, 0]).sort());
  expect(await timersDue(harness.store)).toEqual([]);
});

test('an upgraded home hears of it at the next start, once; a new one does not', async () => {
  const home = temporaryFolder();
  const receiver = await startReceiver();
  mkdirSync(home, { recursive: true });
  writeFileSync(
    join(home, 'config.toml'),
    `[channels.me]\ntype = "webhook"\nurl = "${receiver.url}"\nallow_private = true\n[[routes]]\nto = ["me"]\n`,
  );
  const sent = (): string[] =>
    receiver.requests.map(({ body }) => String(body)).filter((text) => text.includes('upgraded'));
  const daemon = await startDaemon(home);
  await hook(home, JSON.stringify({ hook_event_name: 'Stop', session_id: 's' }), ['--agent', 'claude']);
  await until(() => receiver.requests.length > 0, 'the finish');
  await daemon.stop();
  expect(sent()).toEqual([]);
  const announced = join(home, 'state', 'announced-changes');
  expect(existsSync(announced)).toBe(true);
  rmSync(announced); // as an earlier version left it
  const second = await startDaemon(home);
  await until(() => sent().length > 0, 'the sentence');
  await second.stop();
  await startDaemon(home);
  await belfry(home, ['send', 'later', '--kind', 'test']);
  await until(() => receiver.requests.some(({ body }) => String(body).includes('later')), 'what comes after it');
  expect(sent()).toHaveLength(1);
  expect(sent()[0]).toContain('typed or clicked after it');
});

test.each([
  ['where it was installed, hears to do it again', ['install', 'opencode', '--answer'], true],
  ['where it only notifies, hears nothing', ['install', 'opencode'], false],
])('code inside a client that answers it: who upgrades %s', async (_what, install, says) => {
  const home = temporaryFolder();
  const receiver = await startReceiver();
  writeFileSync(
    join(home, 'config.toml'),
    `[channels.me]\ntype = "webhook"\nurl = "${receiver.url}"\nallow_private = true\n[[routes]]\nto = ["me"]\n`,
  );
  expect(await homeWithClient(home, 'opencode', '1.18.33')(...install)).toMatchObject({ code: 0 });
  mkdirSync(join(home, 'state'), { mode: 0o700, recursive: true });
  writeFileSync(join(home, 'state', 'announced-changes'), '3\n');
  await startDaemon(home);
  const heard = (part: string): boolean => receiver.requests.some(({ body }) => String(body).includes(part));
  if (says) await until(() => heard('belfry install opencode --answer'), 'what to do');
  await belfry(home, ['send', 'later', '--kind', 'test']);
  await until(() => heard('later'), 'what comes after it');
  expect(heard('restart what runs of opencode')).toBe(says);
});
