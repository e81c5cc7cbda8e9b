// `focus` where nothing could be shown: the error says where the person finds the agent.
import { expect, test } from 'vitest';
import { focusSession } from '../../../src/daemon/sessions/focus.ts';
import { HERE } from '../../../src/model/session/whereabouts.ts';
import { startTime } from '../../../src/runtime/process-table.ts';
import { openStore } from '../../../src/store/open.ts';
import { pathsBelow, temporaryFolder } from '../../support/home.ts';
import { madeSession } from '../../support/made.ts';
import { keepSession } from '../../support/store-writes.ts';

test('a session of a machine elsewhere that no ssh here shows, and one of a machine that is not looked after', async () => {
  const store = await openStore(pathsBelow(temporaryFolder()).database);
  const there = { pid: 1, start: '1', name: 'claude', where: 'box' };
  const session = madeSession({ host: 'box', user: 'ada', agent: 'claude', process: there });
  await keepSession(store, session);
  await expect(focusSession(session, store, {})).rejects.toThrow(/^no terminal here is known to show box alone: /);
  const foreign = madeSession({ host: 'other', user: 'ada', agent: 'claude', process: null });
  await keepSession(store, foreign);
  await expect(focusSession(foreign, store, {})).rejects.toThrow("that session is ada's on other");
  await store.close();
});

test.each([
  ['exited', { pid: 2 ** 22 + 1, start: '1', name: 'claude' }, /has exited: `belfry sessions` lists those that run$/],
  [
    'on no desktop',
    { pid: process.pid, start: startTime(process.pid) ?? '', name: 'claude' },
    /; go to it yourself: in \/src\/payments$/,
  ],
  ['in a terminal that no hook named', null, /: go to it yourself$/],
])('an agent that is %s', async (_how, client, words) => {
  const store = await openStore(pathsBelow(temporaryFolder()).database);
  const session = madeSession({ ...HERE, agent: 'claude', cwd: '/src/payments', process: client });
  await keepSession(store, session);
  await expect(focusSession(session, store, {})).rejects.toThrow(words);
  await store.close();
});
