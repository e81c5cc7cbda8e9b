// A group that grows while its first message is still being sent: what came is put into that message, not into a second one.
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { hook, startDaemon } from '../support/programs.ts';
import type { Answer } from '../support/receiver.ts';
import { BOT_TOKEN, CHANNEL, startSlackServer } from '../support/slack-server.ts';
import { asked, homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const finish = (home: string, project: string): Promise<unknown> =>
  hook(home, JSON.stringify({ session_id: `in-${project}`, hook_event_name: 'Stop', cwd: `/src/${project}` }));

interface Row {
  readonly state: string;
  readonly title: string;
}

/** Gives an answer that the server had made before. */
function giveLate(answer: Answer, response: ServerResponse): void {
  if (typeof answer !== 'object') throw new Error('Slack answers with a body');
  response.writeHead(answer.status, answer.headers).end(answer.body);
}

test('a group grows while its first send is in flight', async () => {
  const slack = await startSlackServer();
  const strict = slack.answer;
  const held: (() => void)[] = [];
  slack.answer = (request, index) => {
    const answer = strict(request, index);
    if (!request.path.endsWith('chat.postMessage')) return answer;
    return (_received, response) => void held.push(() => giveLate(answer, response));
  };
  const home = homeWith(`
[channels.team]
type = "slack-app"
api_url = "${slack.url}/api"
token = "${BOT_TOKEN}"
channel = "${CHANNEL}"
allow_private = true
[[routes]]
to = ["team"]
group = { by = ["kind"], wait = "500ms", every = "1s" }
`);
  await startDaemon(home);
  await finish(home, 'api');
  await until(() => held.length === 1, 'the first send');
  await finish(home, 'web');
  const grown = await until(async () => {
    const rows = await asked<Row[]>(home, ['deliveries']);
    return rows.some(({ title }) => title === '2 sessions finished: api, web') && rows;
  }, 'the growth');
  // It waits for the message that it changes, which is still on its way.
  const planned = grown.filter(({ title }) => title === '2 sessions finished: api, web');
  expect(planned.map(({ state }) => state)).toEqual(['pending']);
  expect(slack.shown).toHaveLength(1);

  held[0]?.();
  await until(() => JSON.stringify(slack.shown).includes('2 sessions finished: api, web'), 'the change');
  expect(slack.shown).toHaveLength(1);
  expect(slack.requests.filter(({ path }) => path.endsWith('chat.postMessage'))).toHaveLength(1);
});
