// What a token to publish may pass off: nothing that it posts speaks for this host, settles what is asked here, or keeps back what happens here.
import { hostname } from 'node:os';
import { beforeAll, expect, test } from 'vitest';
import { type Conversation, openQuestion, permission, questionsIn, stop, waitAsHook } from '../support/answering.ts';
import { type Visitor, visit } from '../support/interface.ts';
import { hostileHome } from './hostile-home.ts';
import { hook } from '../support/programs.ts';
import { asked } from '../support/thread.ts';
import { until } from '../support/wait.ts';

let home = '';
let visitor: Visitor;
let publish = '';

beforeAll(async () => {
  ({ home } = await hostileHome());
  visitor = await visit(home);
  publish = (await asked<{ token: string }>(home, ['token', 'add', 'box', '--scope', 'publish'])).token;
});

/** Posts a hook input that calls itself one of this host. */
async function post(input: object, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const response = await fetch(`${visitor.origin}/hooks?agent=claude`, {
    method: 'POST',
    headers: { authorization: `Bearer ${publish}`, 'x-belfry-host': hostname(), ...headers },
    body: JSON.stringify(input),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Hosts that a session of this id is known of, once there are so many. */
const hostsOf = (session: string, count: number): Promise<readonly string[]> =>
  until(
    async () => {
      const { sessions } = await visitor.call('sessions.list', { all: 'true', limit: 500 });
      const hosts = sessions.filter(({ session_id }) => session_id === session).map(({ host }) => host);
      return hosts.length >= count ? hosts : null;
    },
    `${count} sessions ${session}`,
    20_000,
  );

/** A hook of this host that waits, its session known. */
async function waiting(session: string): Promise<Conversation> {
  await hook(home, JSON.stringify({ session_id: session, hook_event_name: 'SessionStart' }), ['--agent', 'claude']);
  await hostsOf(session, 1);
  const talk = await waitAsHook(home, permission(session));
  await openQuestion(home, session);
  return talk;
}

const stateOf = async (session: string): Promise<string | undefined> =>
  (await questionsIn(home)).find(({ sessionKey }) => sessionKey.endsWith(`/${session}`))?.state;

test.each([
  ['a prompt', 'p1', { hook_event_name: 'UserPromptSubmit', prompt: 'go on' }, {}],
  ['the end of the session', 'p2', { hook_event_name: 'SessionEnd', reason: 'other' }, {}],
  ['the end of the turn', 'p3', { hook_event_name: 'Stop' }, {}],
  ['a use of the tool', 'p4', { ...permission('p4'), hook_event_name: 'PostToolUse' }, {}],
  [
    'this host in capitals',
    'p5',
    { hook_event_name: 'UserPromptSubmit' },
    { 'x-belfry-host': hostname().toUpperCase() },
  ],
] as const)(
  'a publisher that forges %s of this host settles no question here',
  async (_what, session, input, headers) => {
    const talk = await waiting(session);
    expect(await post({ ...input, session_id: session, cwd: '/tmp' }, headers)).toBe(202);
    const hosts = await hostsOf(session, 2);
    expect(hosts.filter((host) => host.toLowerCase() === hostname().toLowerCase())).toHaveLength(1);
    expect(await stateOf(session)).toBe('open');
    talk.close();
  },
);

test('a publisher that posts what a session here is about to say does not keep that back', async () => {
  const said = { ...stop('d1'), hook_event_name: 'Stop' };
  expect(await post(said)).toBe(202);
  await hook(home, JSON.stringify(said), ['--agent', 'claude']);
  const events = await until(
    async () => {
      const { events: all } = await visitor.call('events.list', { session: 'd1' });
      return all.length >= 2 ? all : null;
    },
    'both to be kept',
    20_000,
  );
  const own = events.find(({ host }) => host === hostname());
  expect(own?.outcome.notified).toEqual(['log']);
});
