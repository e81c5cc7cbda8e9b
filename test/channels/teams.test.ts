// Teams: cards that the schema allows, within the size a workflow takes, in which text is text.
import { describe, expect, test } from 'vitest';
import { teams } from '../../src/channels/teams.ts';
import hostile from '../fixtures/hostile.json' with { type: 'json' };
import { deliver, eventOf, messageOf, toolsOf } from '../contracts/channel.ts';
import { testHttpChannel } from '../contracts/http-channel.ts';
import { linesOf, PATH, QUERY, SIGNATURE, startTeams } from '../support/teams-server.ts';

const at = (url: string) => ({ url: `${url}${PATH}${QUERY}`, allow_private: true });

testHttpChannel({
  channel: teams,
  input: { url: 'secret:teams' },
  settings: (url) => ({ input: at(url), secrets: [SIGNATURE] }),
  accepted: 202,
});

describe('the card', () => {
  test('has title, lines, the latest messages and where it was', async () => {
    const server = await startTeams();
    const context = { messages: [{ role: 'user', text: 'Do *it*', at: null, from: 'input' } as const] };
    const outcome = await deliver(teams, at(server.url), messageOf({ title: 'T', body: 'one\n\ntwo', context }));
    expect(outcome).toEqual({ ok: true, status: 202, answer: 'the workflow was started' });
    expect(server.cards.map(linesOf)).toEqual([['T', 'one', 'two', 'You: Do it', 'box · main']]);
  });

  test.each([
    ['low', false, 'Default'],
    ['normal', false, 'Default'],
    ['normal', true, 'Attention'],
    ['urgent', false, 'Attention'],
  ] as const)('%s, abnormal %s: %s', async (urgency, abnormal, color) => {
    const server = await startTeams();
    await deliver(teams, at(server.url), messageOf({ urgency, abnormal }));
    expect(server.cards[0]?.body[0]?.inlines[0]?.color).toBe(color);
  });

  test('is valid and not too large, whatever comes, and nothing in it is replaced', async () => {
    const server = await startTeams();
    const large = [
      '{{DATE(2026-01-01T00:00:00Z)}}',
      '{'.repeat(40_000),
      '"\n'.repeat(40_000),
      '\u0001"'.repeat(40_000),
    ];
    for (const text of [...hostile, ...large, '👩‍👩‍👧‍👦'.repeat(9_000), 'é'.repeat(40_000)]) {
      const context = { messages: [1, 2, 3].map(() => ({ role: 'user', text, at: null, from: 'input' }) as const) };
      const event = eventOf({ host: text, branch: text });
      const outcome = await deliver(teams, at(server.url), messageOf({ title: text, body: text, context, event }));
      expect(outcome, text.slice(0, 60)).toMatchObject({ ok: true, status: 202 });
      expect(JSON.stringify(server.cards.at(-1))).not.toContain('{{');
    }
  });
});

test.each([
  [400, 'client'],
  [401, 'auth'],
  [404, 'invalid-config'],
  [410, 'invalid-config'],
  [413, 'client'],
  [502, 'server'],
])('an answer %i is a failure of kind %s', async (status, reason) => {
  const server = await startTeams();
  server.answer = () => status;
  expect(await deliver(teams, at(server.url), messageOf())).toMatchObject({ ok: false, status, reason });
});

test('`check` knows the connectors that were switched off', async () => {
  const settings = teams.schema.parse({ url: 'https://example.webhook.office.com/webhookb2/x' });
  const findings = await teams.check(settings, toolsOf({ signal: AbortSignal.abort() }));
  expect(findings).toContainEqual(expect.objectContaining({ level: 'fail', text: expect.stringMatching(/connector/) }));
});
