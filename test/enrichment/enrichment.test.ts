// What is added to a notification: from a real service over HTTP in every order and with every fault, else from what is at hand.
import { mkdirSync, truncateSync, writeFileSync, appendFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentByName, agents } from '../../src/agents/index.ts';
import { createClient } from '../../src/api/index.ts';
import { createEnricher } from '../../src/enrichment/index.ts';
import { readTranscriptTail } from '../../src/enrichment/transcript.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { ContextMessage } from '../../src/model/notification/notification.ts';
import { realFiles } from '../support/files.ts';
import { PLAIN_CONFIG } from '../support/decide.ts';
import { temporaryFolder } from '../support/home.ts';
import { madeEvent, madeSession } from '../support/made.ts';
import type { Answer } from '../support/receiver.ts';
import { KEY, ORDERS, type Said, serveConversation } from './conversation.ts';

const texts = (messages: readonly ContextMessage[]): readonly string[] => messages.map((m) => `${m.role}: ${m.text}`);
const talk = (count: number): readonly Said[] =>
  Array.from({ length: count }, (_, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', text: `say ${i}` }));

/** A reader of nobody's service at home, but for what is given. */
const readerOf = (more: Partial<Parameters<typeof createEnricher>[0]>) =>
  createEnricher({
    config: () => PLAIN_CONFIG,
    service: () => null,
    knownToService: () => true,
    home: '/nowhere',
    files: realFiles(),
    clock: systemClock,
    log: () => undefined,
    ...more,
  });

function ask(
  baseUrl: string | null,
  more: {
    timeout?: number;
    messages?: number;
    attributes?: Record<string, unknown>;
    computerId?: string;
    agent?: string;
  } = {},
) {
  const logged: string[] = [];
  const connect = () => (baseUrl === null ? null : createClient({ baseUrl, key: KEY, retries: 0 }));
  let client = connect();
  const context = { ...PLAIN_CONFIG.context, timeout: more.timeout ?? 20_000, messages: more.messages ?? 3 };
  const config = {
    ...PLAIN_CONFIG,
    context: more.computerId === undefined ? context : { ...context, computer_id: more.computerId },
  };
  const read = readerOf({
    config: () => config,
    service: () => client,
    knownToService: (agent) => agentByName(agent)?.knownToService === true,
    log: (message, fields) => void logged.push(`${message} ${JSON.stringify(fields)}`),
  });
  const ofSession = async (sessionId: string): Promise<readonly string[]> => {
    const event = madeEvent({ sessionId, agent: more.agent ?? 'droid', attributes: more.attributes ?? {} });
    return texts((await read({ event, record: null, until: event.at })).messages);
  };
  const renew = (): void => {
    client = connect();
  };
  return { logged, ofSession, read: () => ofSession('s1'), renew };
}

describe('messages of the service', () => {
  for (const order of ORDERS)
    for (const [count, perPage] of [
      [1, 100],
      [6, 100],
      [7, 2],
      [250, 100],
    ] as const)
      test(`the newest of ${count}, ${perPage} a page, pages ${order.pages}, messages ${order.messages}`, async () => {
        const { url, requests } = await serveConversation(talk(count), order, { perPage });
        const expected = talk(count)
          .slice(-3)
          .map((m) => `${m.role}: ${m.text}`);
        expect(await ask(url).read()).toEqual(expected);
        expect(requests.length).toBeLessThanOrEqual(11);
      });

  test('more pages than may be asked for, the newest last: nothing outdated is quoted', async () => {
    const { url, requests } = await serveConversation(
      talk(60),
      { messages: 'up', pages: 'newest last' },
      { perPage: 2 },
    );
    expect(await ask(url, { attributes: { last_assistant_message: 'from the hook' } }).read()).toEqual([
      'assistant: from the hook',
    ]);
    expect(requests).toHaveLength(11);
  });

  test('what nobody said is not quoted', async () => {
    const said: readonly Said[] = [
      { role: 'user', text: 'The request' },
      { role: 'user', text: '<task-notification>made up</task-notification>' },
      { role: 'system', text: 'rules' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'hm' },
          { type: 'text', text: 'The answer' },
          { type: 'image', data: 'x' },
        ],
      },
      { role: 'tool', text: 'output' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'x' }] },
      { role: 'assistant', text: 'hidden', visibility: 'llm_only' },
      { role: 'assistant', text: 'invisible', isUserVisible: false },
      { role: 'user', content: [{ type: 'tool_result', content: 'x' }] },
      { role: 'user', text: '<system-reminder>be good</system-reminder>' },
    ];
    for (const order of ORDERS) {
      const { url } = await serveConversation(said, order);
      expect(await ask(url).read()).toEqual(['user: The request', 'assistant: The answer']);
    }
  });

  test('the last request is among them however much was answered since', async () => {
    const said = [
      { role: 'user', text: 'Go' },
      ...Array.from({ length: 9 }, (_, i) => ({ role: 'assistant', text: `step ${i}` })),
    ];
    const { url } = await serveConversation(said, { messages: 'up', pages: 'newest first' });
    expect(await ask(url).read()).toEqual(['user: Go', 'assistant: step 7', 'assistant: step 8']);
    expect(await ask(url, { messages: 1 }).read()).toEqual(['assistant: step 8']);
  });

  test("the session's own computer is asked, else the configured one", async () => {
    const order = ORDERS[0] ?? { messages: 'up', pages: 'newest first' };
    const own = await serveConversation(talk(2), order, { computerId: 'c-own' });
    await ask(own.url, { computerId: 'c-set' }).read();
    expect(own.requests.map((r) => r.path)).toEqual([
      '/api/v0/sessions/s1?computerId=c-set',
      '/api/v0/sessions/s1/messages?limit=100&computerId=c-own',
    ]);
    const none = await serveConversation(talk(2), order);
    await ask(none.url, { computerId: 'c-set' }).read();
    expect(none.requests.at(-1)?.path).toContain('computerId=c-set');
  });

  const hang: Answer = () => undefined;
  test.each<[name: string, answer: Answer]>([
    ['401', 401],
    ['403', 403],
    ['404', 404],
    ['429', { status: 429, headers: { 'retry-after': '30' } }],
    ['500', 500],
    ['not JSON', { status: 200, body: '<html>' }],
    ['another shape', { status: 200, body: '{"messages":"none"}' }],
    ['a reset', (_request, response) => void response.destroy()],
    ['an answer that never comes', hang],
    ['an answer that never ends', (_request, response) => void response.writeHead(200).write('{"messages":[')],
  ])('%s: notified with what the hook gave, the key in no log', async (_name, fault) => {
    for (const path of ['/api/v0/sessions/s1', '/api/v0/sessions/s1/messages']) {
      const { url } = await serveConversation(talk(4), ORDERS[0] ?? { messages: 'up', pages: 'newest first' }, {
        fault: (asked) => (asked.split('?')[0] === path ? fault : null),
      });
      const { read, logged } = ask(url, {
        timeout: 300,
        attributes: { last_assistant_message: 'from the hook', request: 'Go' },
      });
      expect(await read()).toEqual(['user: Go', 'assistant: from the hook']);
      expect(logged.join()).not.toContain(KEY);
    }
  });

  test.each<[name: string, answer: Answer]>([
    ['401', 401],
    ['404', 404],
    ['400', 400],
    ['429', 429],
    ['500', 500],
    ['an answer that never comes', hang],
    ['an answer that never ends', (_request, response) => void response.writeHead(200).write('{"messages":[')],
    ['a reset', (_request, response) => void response.destroy()],
    ['an answer that cannot be used', { status: 200, body: '<html>' }],
  ])('after %s it is not asked again at once', async (_name, fault) => {
    const { url, requests } = await serveConversation([], ORDERS[0] ?? { messages: 'up', pages: 'newest first' }, {
      fault: () => fault,
    });
    const { read } = ask(url, { timeout: 500 });
    await read();
    expect(requests).toHaveLength(1);
    await read();
    await read();
    expect(requests).toHaveLength(1);
  });

  test.each<[name: string, answer: Answer, asked: number]>([
    ['404', 404, 2],
    ['400', 400, 2],
    ['401', 401, 1],
    ['500', 500, 1],
    ['an answer that never comes', hang, 1],
  ])('after %s about one session, another one is asked about: %#', async (_name, fault, asked) => {
    const { url, requests } = await serveConversation([], ORDERS[0] ?? { messages: 'up', pages: 'newest first' }, {
      fault: () => fault,
    });
    const { ofSession } = ask(url, { timeout: 500 });
    await ofSession('s1');
    await ofSession('s2');
    expect(requests).toHaveLength(asked);
  });

  test('with other settings it is asked at once', async () => {
    const order = ORDERS[0] ?? { messages: 'up', pages: 'newest first' };
    let answer: Answer | null = 401;
    const { url } = await serveConversation(talk(1), order, { fault: () => answer });
    const asking = ask(url);
    await asking.read();
    answer = null;
    expect(await asking.read()).toEqual([]);
    asking.renew();
    expect(await asking.read()).toEqual(['user: say 0']);
  });

  test("ids of other clients' sessions stay on this machine", async () => {
    const { url, requests } = await serveConversation(talk(1), ORDERS[0] ?? { messages: 'up', pages: 'newest first' });
    const answered: string[] = [];
    for (const agent of ['belfry', 'unheard-of', ...agents.map(({ name }) => name)])
      if ((await ask(url, { agent }).read()).length > 0) answered.push(agent);
    expect(answered.sort()).toEqual(['droid', 'generic']);
    expect(requests).toHaveLength(4);
  });

  test('a cursor that repeats ends it', async () => {
    const page = {
      messages: [{ id: 'a', role: 'user', content: [{ type: 'text', text: 'Go' }], createdAt: 1, updatedAt: 1 }],
      pagination: { hasMore: true, nextCursor: 'same' },
    };
    const { url, requests } = await serveConversation(talk(1), ORDERS[0] ?? { messages: 'up', pages: 'newest first' }, {
      fault: (path) => (path.includes('/messages') ? { status: 200, body: JSON.stringify(page) } : null),
    });
    expect(await ask(url).read()).toEqual(['user: Go']);
    expect(requests).toHaveLength(3);
  });
});

describe("the transcript's end", () => {
  const user = { type: 'user', message: { role: 'user', content: 'Tidy it' }, timestamp: '2026-06-01T12:00:00Z' };
  const answer = { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'Tidied.' }] } };
  const lines = (...records: readonly unknown[]): string => `${records.map((r) => JSON.stringify(r)).join('\n')}\n`;
  const written = (text: string, name = 'transcript.jsonl'): { home: string; file: string } => {
    const home = temporaryFolder();
    const file = join(home, name);
    writeFileSync(file, text);
    return { home, file };
  };

  test.each<[name: string, text: string, expected: readonly string[]]>([
    ['role and blocks one step below', lines(user, answer), ['user: Tidy it', 'assistant: Tidied.']],
    [
      'a payload with typed blocks',
      lines(
        {
          type: 'response_item',
          payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go' }] },
        },
        { type: 'response_item', payload: { role: 'assistant', content: [{ type: 'output_text', text: 'Gone' }] } },
      ),
      ['user: Go', 'assistant: Gone'],
    ],
    [
      'dotted types',
      lines(
        { type: 'user.message', data: { content: 'Go' } },
        { type: 'assistant.message', data: { content: 'Gone' } },
      ),
      ['user: Go', 'assistant: Gone'],
    ],
    [
      'one document',
      '{\n "messages": [{"type":"user","content":"Go"},{"role":"assistant","content":"Gone"}]\n}',
      ['user: Go', 'assistant: Gone'],
    ],
    [
      'made up, meta, side chains and tools are passed over',
      lines(
        user,
        { ...answer, message: { role: 'assistant', content: 'Said' } },
        { ...user, isMeta: true, message: { role: 'user', content: 'meta' } },
        { ...answer, isSidechain: true },
        { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', content: 'x' }] } },
        { type: 'user', message: { role: 'user', content: '<task-notification>x' } },
      ),
      ['user: Tidy it', 'assistant: Said'],
    ],
    [
      'what the client showed its user alone is no request',
      lines(
        user,
        { type: 'message', message: { role: 'user', visibility: 'user_only', content: 'Error: 401 invalid key' } },
        { type: 'message', message: { role: 'user', visibility: 'user_only', content: [] } },
      ),
      ['user: Tidy it', 'assistant: Error: 401 invalid key'],
    ],
    ['broken lines', `not json\n${lines(user)}{"type":"assistant","mess`, ['user: Tidy it']],
    ['empty', '', []],
  ])('%s', async (_name, text, expected) => {
    const { home, file } = written(text);
    expect(texts(await readTranscriptTail(file, { home, files: realFiles() }))).toEqual(expected);
  });

  const at = (second: number, role: 'user' | 'assistant', content: string, more: object = {}): object => ({
    type: role,
    message: { role, content },
    timestamp: new Date(second * 1_000).toISOString(),
    ...more,
  });
  const before = [at(10, 'user', 'Tidy it'), at(20, 'assistant', 'Tidied.')];
  const turn = [at(31, 'user', 'Test it'), at(39, 'assistant', 'Tested.')];
  test.each<[name: string, records: readonly object[], expected: readonly string[]]>([
    ['its own request and words', [...before, ...turn], ['user: Test it', 'assistant: Tested.']],
    ['nothing of it is written yet: not the words of the turn before', before, ['user: Tidy it']],
    ['its request is, its words are not', [...before, ...turn.slice(0, 1)], ['user: Test it']],
    [
      'a later turn has begun by now',
      [...before, ...turn, at(41, 'user', 'Ship it'), at(45, 'assistant', 'Shipped.')],
      ['user: Test it', 'assistant: Tested.'],
    ],
    [
      'what a subagent said, in the same file',
      [...before, ...turn, at(39.5, 'assistant', 'There are 3 files.', { agentId: '2a6047e7' })],
      ['user: Test it', 'assistant: Tested.'],
    ],
    [
      'words without a time after its request',
      [...before, ...turn.slice(0, 1), answer],
      ['user: Test it', 'assistant: Tidied.'],
    ],
    [
      'words without a time of the turn before',
      [...before.slice(0, 1), answer, ...turn.slice(0, 1)],
      ['user: Test it'],
    ],
  ])('words of the right turn: %s', async (_name, records, expected) => {
    const { home, file } = written(lines(...records));
    expect(texts(await readTranscriptTail(file, { home, files: realFiles() }, { from: 30_000, to: 40_000 }))).toEqual(
      expected,
    );
  });

  test('a finish quotes what was said since its prompt, in the words of the reply that the transcript has', async () => {
    const { home, file } = written(lines(...before));
    const read = readerOf({ home });
    const record = madeSession({ transcript: file, turnStarted: 30_000, memory: { request: 'Test it' } });
    const asked = async () => texts((await read({ event: madeEvent(), record, until: 40_000 })).messages);
    expect(await asked()).toEqual(['user: Test it']);
    appendFileSync(file, lines(...turn, at(39.1, 'user', 'and the docs'), at(39.9, 'assistant', 'Both.')));
    expect(await asked()).toEqual(['user: and the docs', 'assistant: Both.']);
  });

  test('200 MB: only the end is read', async () => {
    const { home, file } = written('');
    truncateSync(file, 200 * 1024 * 1024);
    appendFileSync(file, `\n${lines(user, answer)}`);
    const before = process.memoryUsage().rss;
    expect(texts(await readTranscriptTail(file, { home, files: realFiles() }))).toEqual([
      'user: Tidy it',
      'assistant: Tidied.',
    ]);
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024);
  });

  test('only regular files below the home, whatever links say', async () => {
    const outside = written(lines(user));
    const home = temporaryFolder();
    const link = join(home, 'link.jsonl');
    symlinkSync(outside.file, link);
    mkdirSync(join(home, 'folder'));
    for (const path of [
      outside.file,
      link,
      join(home, 'folder'),
      join(home, 'none'),
      `${home}/../${outside.file}`,
      'relative.jsonl',
      '/dev/zero',
      home,
    ])
      expect(await readTranscriptTail(path, { home, files: realFiles() })).toEqual([]);
  });

  test('asked when the input has no last words', async () => {
    const { home, file } = written(lines(user, answer));
    const read = readerOf({ home });
    const record = madeSession({ transcript: file });
    expect(texts((await read({ event: madeEvent(), record, until: systemClock.now() })).messages)).toEqual([
      'user: Tidy it',
      'assistant: Tidied.',
    ]);
    const event = madeEvent({ attributes: { last_assistant_message: 'Newer.' } });
    expect(texts((await read({ event, record, until: systemClock.now() })).messages)).toEqual([
      'user: Tidy it',
      'assistant: Newer.',
    ]);
  });
});
