// The desktop channel and notification servers that crash, fail, are slow or are replaced; a real bus, servers made for it.
import { createServer, type Server, type Socket } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { desktop } from '../../src/channels/desktop.ts';
import { closeChannels, deliver, instanceOf, messageOf, testChannel, toolsOf } from '../contracts/channel.ts';
import type { InboundAnswer, OutgoingMessage } from '../../src/model/channel/channel.ts';
import type { Outcome } from '../../src/model/delivery/delivery.ts';
import { busError, startBus } from '../support/notification-server.ts';
import { until } from '../support/wait.ts';

const settings = { sound: false };
const never = new Promise<never>(() => undefined);
const WHOLE = { partial: null, allowAt: 'Allow it at its terminal.' } as const;
let bus: Awaited<ReturnType<typeof startBus>>;
beforeEach(async () => {
  bus = await startBus();
});
afterEach(async () => {
  await closeChannels();
  await bus.close();
});

const tools = (address = bus.address) =>
  toolsOf({ platform: 'linux', env: { DBUS_SESSION_BUS_ADDRESS: address, PATH: '/nowhere' } });
const show = (id: string, title = 'title', body = 'a < b') =>
  deliver(desktop, settings, messageOf({ title, body }, { id }), tools());

testChannel({
  channel: desktop,
  input: { sound: true },
  unreachable: async () => ({ input: settings, tools: tools('unix:path=/nowhere/bus'), secrets: [] }),
  works: async () => {
    const server = await bus.serve();
    return { input: settings, tools: tools(), arrived: () => until(() => server.calls.length > 0, 'the notification') };
  },
  hangs: async () => {
    const server = await bus.serve({ notify: () => never });
    return { input: settings, tools: tools(), arrived: () => until(() => server.calls.length > 0, 'the notification') };
  },
});

const receiptOf = (outcome: Outcome): unknown => (outcome.ok ? outcome.receipt : null);

describe('changes', () => {
  const change = (operation: 'update' | 'retract', receipt: unknown, more: Partial<OutgoingMessage> = {}) => {
    const resolution = operation === 'retract' ? ({ state: 'resolved', why: 'answered', at: 0 } as const) : null;
    const message = messageOf({ title: operation }, { id: `${operation}-1`, operation, resolution, ...more });
    return deliver(desktop, settings, message, tools(), receipt);
  };

  test('an update takes the place of what was sent, a retraction takes it away', async () => {
    const server = await bus.serve({ notify: ({ replaces }) => replaces || 41 });
    const receipt = receiptOf(await show('1'));
    expect(receipt).toEqual({ id: 41, server: expect.any(String) });
    expect(await change('update', receipt)).toMatchObject({ ok: true, receipt });
    expect(server.calls.map(({ replaces, summary }) => [replaces, summary])).toEqual([
      [0, 'title'],
      [41, 'update'],
    ]);
    expect(await change('retract', receipt)).toMatchObject({ ok: true });
    expect(server.closed).toEqual([41]);
  });

  test('also when it was opened again since', async () => {
    const server = await bus.serve({ notify: ({ replaces }) => replaces || 41 });
    const receipt = receiptOf(await show('1'));
    await closeChannels();
    await change('retract', receipt);
    expect(server.closed).toEqual([41]);
  });

  test('not by another run of the server, whose ids are others', async () => {
    const first = await bus.serve();
    const receipt = receiptOf(await show('1'));
    await first.crash();
    const second = await bus.serve();
    expect(await change('retract', receipt)).toMatchObject({ ok: true });
    expect(
      await change('update', receipt, { resolution: { state: 'resolved', why: 'answered', at: 0 } }),
    ).toMatchObject({ ok: true });
    expect([second.closed, second.calls]).toEqual([[], []]);
    expect(await change('update', receipt, { id: 'grown' })).toMatchObject({ ok: true });
    expect(second.calls).toMatchObject([{ replaces: 0 }]);
  });

  test('not where the session’s next notification has taken its place', async () => {
    const server = await bus.serve({ notify: ({ replaces }) => replaces || 41 });
    const receipt = receiptOf(await show('1'));
    await deliver(desktop, settings, messageOf({ title: 'next' }, { id: '2', notificationId: 'ntf_2' }), tools());
    await change('retract', receipt);
    await change('update', receipt);
    expect([server.closed, server.calls.length]).toEqual([[], 2]);
  });
});

describe('the button', () => {
  const KEY = 'ack:ntf_1:x';
  const shown = (more: Partial<OutgoingMessage> = {}) =>
    deliver(desktop, settings, messageOf({}, { acknowledgeWith: KEY, ...more }), tools());
  const over = { operation: 'update', resolution: { state: 'resolved', why: 'over', at: 0 } } as const;

  test('is shown where the server has buttons, while somebody listens and the notification is open', async () => {
    const server = await bus.serve({ capabilities: () => ['body', 'actions'] });
    const outcome = await shown();
    await shown({ acknowledgeWith: null });
    const change = messageOf({}, { acknowledgeWith: KEY, ...over });
    await deliver(desktop, settings, change, tools(), receiptOf(outcome));
    expect(server.calls.map(({ actions }) => actions)).toEqual([[KEY, 'Got it'], [], []]);
  });

  test('of a question: its answers, without the one that allows where not all is shown', async () => {
    const server = await bus.serve({ capabilities: () => ['body', 'actions'] });
    const answer = (says: 'allow' | 'deny' | 'text', label: string) => ({ says, label, reference: `${says}:1` });
    const buttons = [answer('allow', 'Allow'), answer('deny', 'Deny'), answer('text', 'Deny with a text')];
    const question = { kind: 'permission', text: 'touch a.txt', choices: [], ...WHOLE, buttons } as const;
    const allow = ['allow:1', 'Allow'];
    const rest = ['deny:1', 'Deny', KEY, 'Got it'];
    await shown({ question });
    for (const text of ['x'.repeat(300), 'a\nb\nc\nd\ne']) await shown({ question: { ...question, text } });
    await shown({ question: { ...question, partial: 'a secret was hidden' } });
    expect(server.calls.map(({ actions }) => actions)).toEqual([[...allow, ...rest], rest, rest, rest]);
  });

  test('Show, and a click on the notification: that of each takes the person to its own session', async () => {
    const server = await bus.serve({ capabilities: () => ['body', 'actions'] });
    const taken: (string | null)[] = [];
    const listening = new AbortController();
    const received = instanceOf(desktop, settings, tools()).use(async ({ open }) =>
      open.receive?.(async ({ reference }) => {
        taken.push(reference);
        return 'shown';
      }, listening.signal),
    );
    await shown({ showWith: 'show:1' });
    await shown({ showWith: 'show:2', id: 'dlv_2', notificationId: 'ntf_2', threadKey: 'other' });
    await shown({ id: 'dlv_3', notificationId: 'ntf_3', threadKey: 'third' });
    expect(server.calls.map(({ actions }) => actions)).toEqual([
      ['default', 'Show', 'show:1', 'Show', KEY, 'Got it'],
      ['default', 'Show', 'show:2', 'Show', KEY, 'Got it'],
      [KEY, 'Got it'],
    ]);
    for (const [id, key] of [
      [2, 'default'],
      [3, 'default'],
      [77, 'default'],
      [1, 'default'],
      [1, 'show:1'],
    ] as const)
      server.press(id, key);
    await until(() => taken.length === 3, 'the clicks');
    expect(taken).toEqual(['show:2', 'show:1', 'show:1']);
    listening.abort();
    await received;
  });

  test('is not shown, and nothing is followed, where the server has none', async () => {
    const server = await bus.serve({ capabilities: () => ['body'] });
    await shown();
    expect(server.calls.map(({ actions }) => actions)).toEqual([[]]);
  });

  test('hands over what it carries, by whoever sits there, as long as somebody listens', async () => {
    const server = await bus.serve({ capabilities: () => ['body', 'actions'] });
    const taken: InboundAnswer[] = [];
    const listening = new AbortController();
    const received = instanceOf(desktop, settings, tools()).use(async ({ open }) =>
      open.receive?.(async (answer) => {
        taken.push(answer);
        return 'Acknowledged.';
      }, listening.signal),
    );
    await shown();
    server.press(1, KEY);
    await until(() => taken.length === 1, 'the press');
    expect(taken).toMatchObject([{ reference: KEY, replyTo: null, text: null, by: { name: userInfo().username } }]);
    listening.abort();
    await received;
    server.press(1, KEY);
    await shown({ id: 'dlv_2' }); // after it on the same connection
    expect(taken).toHaveLength(1);
  });
});

describe('the field to write in', () => {
  const withField = { capabilities: () => ['body', 'actions', 'inline-reply'] };
  const words = { says: 'text', label: 'Reply', reference: 'text:1' } as const;
  const finished = { kind: 'text', text: 'All done.', choices: [], ...WHOLE, buttons: [words] } as const;
  const colours = { question: 'Which colour?', options: ['Blue', 'Red'], descriptions: [], multiple: false };
  const chosen = { ...finished, kind: 'choice', choices: [colours] } as const;
  const shown = (more: Partial<OutgoingMessage>, receipt?: unknown) =>
    deliver(desktop, settings, messageOf({}, more), tools(), receipt);
  const over = { operation: 'update', resolution: { state: 'resolved', why: 'over', at: 0 } } as const;

  /** What was handed over, until the test ends it. */
  function listen(line = 'The agent has your reply.') {
    const taken: InboundAnswer[] = [];
    const listening = new AbortController();
    const received = instanceOf(desktop, settings, tools()).use(async ({ open }) =>
      open.receive?.(async (answer) => {
        taken.push(answer);
        return line;
      }, listening.signal),
    );
    return {
      taken,
      end: async () => {
        listening.abort();
        await received;
      },
    };
  }

  test.each<[string, string[], Partial<OutgoingMessage>, string[], string | null]>([
    ['a finish', ['inline-reply'], { question: finished }, ['inline-reply', 'Reply'], 'Its next instruction'],
    [
      'a permission',
      ['inline-reply'],
      { question: { ...finished, kind: 'permission', text: 'touch a.txt' } },
      ['inline-reply', 'Reply'],
      'Deny it, and say why',
    ],
    ['a question', ['inline-reply'], { question: chosen }, ['inline-reply', 'Reply'], 'Answer in words'],
    ['two questions at once', ['inline-reply'], { question: { ...chosen, choices: [colours, colours] } }, [], null],
    ['nothing to answer in words', ['inline-reply'], { question: { ...finished, buttons: [] } }, [], null],
    ['nothing asked', ['inline-reply'], { question: null }, [], null],
    ['what is over', ['inline-reply'], { ...over, question: finished }, [], null],
    ['a server without it', [], { question: finished }, [], null],
  ])('%s', async (_what, more, message, actions, placeholder) => {
    const server = await bus.serve({ capabilities: () => ['body', 'actions', ...more] });
    const receipt = message.operation === undefined ? undefined : receiptOf(await shown({}));
    await shown(message, receipt);
    expect(server.calls.at(-1)).toMatchObject({ actions, placeholder });
  });

  test('a question with too many options to press says that it can be answered in words there', async () => {
    const server = await bus.serve(withField);
    await shown({ question: chosen });
    expect(server.calls.at(-1)?.body).toContain('Reply to answer in words.');
  });

  test('what is written is handed over once, and what became of it is said; nothing is no text', async () => {
    const server = await bus.serve(withField);
    const { taken, end } = listen();
    await shown({ question: finished });
    for (const text of ['', '  \n', 'also update the docs']) server.reply(1, text);
    server.press(1, 'inline-reply');
    await until(() => server.calls.length === 2, 'the line that says so');
    expect(taken).toMatchObject([
      { reference: 'text:1', replyTo: null, text: 'also update the docs', by: { name: userInfo().username } },
    ]);
    expect(server.calls[1]).toMatchObject({ replaces: 0, body: 'The agent has your reply.', actions: [] });
    await end();
  });

  test('a text for what has none, for what was changed, or by anybody but the server goes nowhere', async () => {
    const server = await bus.serve({ ...withField, notify: ({ replaces }) => replaces || server.calls.length });
    const { taken, end } = listen();
    const receipt = receiptOf(await shown({ question: finished, showWith: 'show:1' }));
    await shown({ question: null, id: 'dlv_2', notificationId: 'ntf_2', threadKey: 'other' });
    const forger = await bus.join();
    forger.reply(1, 'rm -rf /');
    forger.press(1, 'default');
    server.reply(2, 'to what asks nothing');
    server.reply(77, 'to what is not there');
    await shown({ ...over, question: finished }, receipt);
    server.reply(1, 'to what is over');
    const third = receiptOf(
      await shown({ question: finished, id: 'dlv_3', notificationId: 'ntf_3', threadKey: 'third' }),
    );
    server.reply(Object(third).id, 'taken');
    await until(() => taken.length > 0, 'the last text');
    expect(taken.map(({ text }) => text)).toEqual(['taken']);
    await end();
  });

  test('an update keeps it, and a retraction takes the notification away', async () => {
    const server = await bus.serve({ ...withField, notify: ({ replaces }) => replaces || 41 });
    const { taken, end } = listen();
    const receipt = receiptOf(await shown({ question: finished }));
    await shown({ operation: 'update', id: 'dlv_2', question: finished }, receipt);
    expect(server.calls.at(-1)).toMatchObject({ replaces: 41, actions: ['inline-reply', 'Reply'] });
    server.reply(41, 'go on');
    await until(() => taken.length === 1, 'the text');
    expect(taken[0]?.reference).toBe(words.reference);
    await shown({ ...over, operation: 'retract', id: 'dlv_3' }, receipt);
    expect(server.closed).toEqual([41]);
    await end();
  });

  test('a text that was begun for one question never goes to the next', async () => {
    let next = 40;
    const server = await bus.serve({ ...withField, notify: ({ replaces }) => replaces || ++next });
    const { taken, end } = listen();
    const receipt = receiptOf(await shown({ question: finished }));
    const later = { ...finished, buttons: [{ ...words, reference: 'text:2' }] };
    await shown({ operation: 'update', id: 'dlv_2', question: later }, receipt);
    expect(server.closed).toEqual([41]);
    expect(server.calls.at(-1)).toMatchObject({ replaces: 0 });
    server.reply(42, 'for the second');
    await until(() => taken.length === 1, 'the text');
    expect(taken[0]).toMatchObject({ reference: 'text:2', text: 'for the second' });
    await end();
  });

  test('what is written where nothing is asked any more is not lost without a word', async () => {
    const server = await bus.serve({ ...withField, notify: ({ replaces }) => replaces || 41 });
    const { taken, end } = listen();
    const receipt = receiptOf(await shown({ question: finished }));
    await shown({ operation: 'update', id: 'dlv_2', question: null }, receipt);
    server.reply(41, 'too late');
    await until(() => server.calls.some(({ body }) => body.includes('Nothing takes your text any more')), 'a word');
    expect(taken).toEqual([]);
    await end();
  });
});

describe('ids', () => {
  test('the session’s next replaces its last, as long as the same server runs', async () => {
    const server = await bus.serve();
    await show('1');
    await show('2');
    expect(server.calls.map(({ replaces }) => replaces)).toEqual([0, 1]);
  });

  test('an id of a server that ended is not given to the one in its place', async () => {
    const first = await bus.serve();
    await show('1');
    await first.crash();
    const second = await bus.serve();
    await show('2');
    expect(second.calls.map(({ replaces }) => replaces)).toEqual([0]);
  });

  test('nor to a server of the same name on another bus', async () => {
    await bus.serve();
    await show('1');
    const before = bus;
    bus = await startBus();
    await before.close();
    const server = await bus.serve();
    await show('2');
    expect(server.calls.map(({ replaces }) => replaces)).toEqual([0]);
  });
});

describe('capabilities', () => {
  test.each([
    ['are refused', () => Promise.reject(busError('org.example.Error.Broken'))],
    ['do not come', () => never],
  ])('%s: shown all the same, as text whatever the server reads, and check says so', async (_name, capabilities) => {
    const server = await bus.serve({ capabilities });
    expect(await show('1')).toMatchObject({ ok: true });
    expect(server.calls).toMatchObject([{ body: 'a &lt; b' }]);
    expect(await desktop.check(desktop.schema.parse(settings), tools())).toMatchObject([
      { level: 'warn', text: expect.stringContaining('does not say') },
    ]);
  });
});

describe('a server that fails', () => {
  test.each([
    ['org.freedesktop.DBus.Error.NoReply', 'server'],
    ['org.freedesktop.DBus.Error.Failed', 'server'],
    ['org.freedesktop.DBus.Error.UnknownMethod', 'server'],
    ['org.gnome.gjs.JSError.TypeError', 'server'],
    ['org.freedesktop.Notifications.Error.ExcessNotificationGeneration', 'rate-limited'],
    ['org.freedesktop.DBus.Error.InvalidArgs', 'client'],
  ])('with %s: %s', async (name, reason) => {
    await bus.serve({ notify: () => Promise.reject(busError(name)) });
    expect(await show('1')).toMatchObject({ ok: false, reason });
  });

  test('by crashing: tried again, and shown by the next; check says what is the case', async () => {
    const first = await bus.serve({
      notify: async (_call, server) => {
        await server.crash();
        return 0;
      },
    });
    expect(await show('1')).toMatchObject({ ok: false, reason: 'server' });
    expect(first.calls).toHaveLength(1);
    expect(await desktop.check(desktop.schema.parse(settings), tools())).toMatchObject([{ level: 'fail' }]);
    const second = await bus.serve();
    expect(await show('1')).toMatchObject({ ok: true });
    expect(second.calls).toHaveLength(1);
    expect(await desktop.check(desktop.schema.parse(settings), tools())).toMatchObject([{ level: 'ok' }]);
  });
});

describe('a server that is slow', () => {
  test('by three seconds: shown once, at the first try', async () => {
    const server = await bus.serve({ notify: () => new Promise((resolve) => setTimeout(resolve, 3_000, 7)) });
    expect(await show('1')).toMatchObject({ ok: true, receipt: { id: 7 } });
    expect(server.calls).toHaveLength(1);
  });

  test('by longer than a try: the next try listens for its answer, and gives it nothing again', async () => {
    let answer = (_id: number): void => undefined;
    const server = await bus.serve({ notify: () => new Promise((resolve) => (answer = resolve)) });
    expect(await show('1')).toMatchObject({ ok: false, reason: 'timeout' });
    const second = show('1');
    answer(7);
    expect(await second).toMatchObject({ ok: true, receipt: { id: 7 } });
    expect(server.calls).toHaveLength(1);
  });

  test('and then ends: another is given it', async () => {
    const first = await bus.serve({ notify: () => never });
    expect(await show('1')).toMatchObject({ ok: false, reason: 'timeout' });
    await first.crash();
    const second = await bus.serve();
    expect(await show('1')).toMatchObject({ ok: true });
    expect(second.calls).toHaveLength(1);
  });
});

describe('a bus that cannot be trusted', () => {
  const little = (size: number, fields: number, body = 0): Buffer => {
    const header = Buffer.alloc(16 + size, 0xff);
    header.write('l', 0);
    header.writeUInt8(2, 1);
    header.writeUInt8(0, 2);
    header.writeUInt8(1, 3);
    header.writeUInt32LE(body, 4);
    header.writeUInt32LE(1, 8);
    header.writeUInt32LE(fields, 12);
    return header;
  };

  test.each([
    ['a message that is none', little(64, 64)],
    ['fields of a kind that does not exist', little(8, 8)],
    ['a body without a signature', little(16, 8, 8)],
  ])('%s: a failure of this try, and the process goes on', async (_name, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'belfry-false-bus-'));
    const path = join(folder, 'bus');
    const server = await falseBus(path, message);
    try {
      expect(await deliver(desktop, settings, messageOf(), tools(`unix:path=${path}`))).toMatchObject({
        ok: false,
        reason: 'network',
      });
    } finally {
      await closeChannels();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** Lets everybody in and answers the first message with these bytes. */
function falseBus(path: string, answer: Buffer): Promise<Server> {
  const talk = (socket: Socket): void => {
    let admitted = false;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      if (text.includes('AUTH')) socket.write('OK 0123456789abcdef0123456789abcdef\r\n');
      if (text.includes('BEGIN')) admitted = true;
      if (admitted) socket.write(answer);
    });
  };
  return new Promise((resolve) => {
    const server = createServer(talk).listen(path, () => resolve(server));
  });
}
