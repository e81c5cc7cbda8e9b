// `belfry routes`: the tree, and what each route makes of an input or a stored event.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { madeDecision, madeEvent } from '../../../support/made.ts';
import { openStore } from '../../../../src/store/open.ts';
import { pathsBelow, temporaryFolder } from '../../../support/home.ts';
import { belfry } from '../../../support/programs.ts';
import { homeWith } from '../../../support/thread.ts';
import { sample } from '../../../support/samples.ts';
import { commitOne } from '../../../support/store-writes.ts';

const CHANNELS = ['desk', 'team', 'spare']
  .map((name) => `[channels.${name}]\ntype = "webhook"\nurl = "https://example.com/${name}"\n`)
  .join('');
const ROUTES = `${CHANNELS}[[routes]]
match = { urgency = "urgent", kind = ["session.failed", "session.ended"] }
to = ["team"]
also = true
[[routes]]
match = { kind = "agent.waiting", detail = "permission" }
to = ["desk"]
[[routes]]
match = { project = "private" }
to = []
[[routes]]
to = ["desk", "team"]
`;

test('show: the routes in their order, and what no route names', async () => {
  const ran = await belfry(homeWith(ROUTES), ['routes', 'show']);
  expect(ran.code).toBe(0);
  expect(ran.stdout).toBe(
    [
      '├─ 1 kind session.failed or session.ended, urgency urgent',
      '│    → team, and on to the next route',
      '├─ 2 kind agent.waiting, detail permission',
      '│    → desk',
      '├─ 3 project private',
      '│    → nobody',
      '└─ 4 every other event',
      '     → desk, team',
      '',
    ].join('\n'),
  );
  expect(ran.stderr).toBe('No route names spare: only tests and notices of failing channels go there.\n');
});

test('show: a route is for every event as long as none before it ends the search', async () => {
  const routes = `${CHANNELS}[[routes]]\nto = ["desk"]\nalso = true\n[[routes]]\nto = ["team"]\n[[routes]]\nto = ["spare"]\n`;
  const { stdout } = await belfry(homeWith(routes), ['routes', 'show']);
  expect(stdout.match(/every .*/g)).toEqual(['every event', 'every event', 'every other event']);
});

test('show: without settings, the built-in ones; as JSON, the file and every route', async () => {
  expect((await belfry(temporaryFolder(), ['routes', 'show'])).stderr).toMatch(/^These are the built-in routes/);
  const data = JSON.parse((await belfry(homeWith(ROUTES), ['routes', 'show', '--json'])).stdout) as {
    routes: unknown[];
  };
  expect(data).toMatchObject({ origin: 'file', unrouted: ['spare'] });
  expect(data.routes).toHaveLength(4);
  expect(data.routes[1]).toMatchObject({ route: 2, match: { kind: ['agent.waiting'] }, to: ['desk'], also: false });
});

test('test: an input, route by route', async () => {
  const home = homeWith(ROUTES);
  const { path } = sample('claude', 'PermissionRequest', 'tui-permission-deny');
  const ran = await belfry(home, ['routes', 'test', path, '--agent', 'claude']);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout.split('\n').slice(1)).toEqual([
    '  route 1  no: kind, urgency do not match',
    '  route 2  matches → desk',
    '  route 3  no: project does not match',
    '  route 4  matches, but an earlier route ends the search',
    'goes to desk',
    '  desk: at once',
    '',
  ]);
});

test('test: a stored event, by the beginning of its id', async () => {
  const home = homeWith(ROUTES);
  const store = await openStore(pathsBelow(home).database);
  const event = madeEvent({
    id: 'abcdef-0001',
    kind: 'session.failed',
    detail: 'server',
    urgency: 'urgent',
    abnormal: true,
  });
  await commitOne(store, {
    ...madeDecision(),
    entryId: event.id,
    events: [{ event, fingerprint: null, verdicts: [] }],
    deliveries: [],
    notifications: [],
    sessions: [],
  });
  await store.close();
  const ran = await belfry(home, ['routes', 'test', 'abcdef', '--json']);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    event: { id: 'abcdef-0001', kind: 'session.failed' },
    routes: [
      { route: 1, matches: true, also: true },
      { route: 2, matches: false, misses: ['kind', 'detail'] },
      {},
      { route: 4, matches: true, reached: true },
    ],
    channels: ['team', 'desk'],
    stopped: null,
  });
  expect(await belfry(home, ['routes', 'test', 'nope'])).toMatchObject({ code: 4 });
  expect(await belfry(home, ['routes', 'test', join(home, 'nope.json')])).toMatchObject({ code: 4 });
});

test('test: a kind that a route has to name', async () => {
  const home = homeWith(`${CHANNELS}[[routes]]\nto = ["desk"]\n`);
  const file = join(home, 'stop.json');
  writeFileSync(file, JSON.stringify({ hook_event_name: 'SubagentStop', session_id: 's', cwd: '/' }));
  const ran = await belfry(home, ['routes', 'test', file, '--agent', 'claude']);
  expect(ran.stdout).toContain('  route 1  no: kind does not match\nnot sent: no route matches\n');
});
