// The key of an input, seen before it is parsed, is the one that it has afterwards, or is not known.
import { expect, test } from 'vitest';
import { agents } from '../../src/agents/index.ts';
import { envelopeKey, orderingKeyOf } from '../../src/ingest/ordering-key.ts';
import { detectAgent, parseInput, readInput } from '../../src/ingest/parse.ts';
import { PLAIN_CONFIG } from '../support/decide.ts';

const ORIGIN = { pid: 1, ppid: 1, env: {} };

/** The key once it is parsed; null: it cannot be read. */
function parsedKey(raw: Buffer, agent?: string): string | null {
  const envelope = { id: 'e', startedAt: 1, receivedAt: 1, origin: ORIGIN, raw, ...(agent && { agent }) };
  const read = readInput(raw);
  const found = read.ok ? detectAgent(agents, envelope, read.input) : undefined;
  return read.ok && found ? orderingKeyOf(parseInput(found, envelope, read.input, 'socket', PLAIN_CONFIG)) : null;
}

const LONG = 'x'.repeat(300_000);

test.each<[name: string, expected: 'same' | 'unknown', text: string, agent?: string]>([
  ['plain', 'same', '{"hook_event_name":"Stop","session_id":"s1"}', 'claude'],
  ['of nobody known', 'same', '{"hook_event_name":"Stop","session_id":"s1"}', 'tool of my own'],
  ['without a name', 'same', '{"hook_event_name":"Stop","session_id":"s1"}'],
  ['white space, byte order mark', 'same', '\uFEFF \n{ "session_id" :\t"s1" }\n', 'claude'],
  ['escapes in the id', 'same', '{"session_id":"s\\u00e9 \\"1\\" \\\\"}', 'claude'],
  ['escapes in the name', 'same', '{"session\\u005fid":"s1"}', 'claude'],
  ['the same name within another field', 'same', '{"tool_input":{"session_id":"no"},"session_id":"s1"}', 'claude'],
  ['within an array', 'same', '{"list":[{"session_id":"no"},"session_id","no"],"session_id":"s1"}', 'claude'],
  ['in a text', 'same', '{"prompt":"\\"session_id\\":\\"no\\"","session_id":"s1"}', 'claude'],
  ['twice', 'same', '{"session_id":"no","session_id":"s1"}', 'claude'],
  ['nested where the client has it', 'same', '{"type":"session.idle","properties":{"sessionID":"s1"}}', 'opencode'],
  ['deep before it', 'same', `{"a":${'['.repeat(500)}${']'.repeat(500)},"session_id":"s1"}`, 'claude'],
  [
    'a long text before it',
    'unknown',
    `{"session_id":7,"a":["${'"],["'.repeat(60_000)}"],"session_id":"s1"}`,
    'claude',
  ],
  ['one long string before it', 'unknown', `{"prompt":"${LONG}","session_id":"s1"}`, 'claude'],
  ['a long text after it', 'same', `{"session_id":"s1","prompt":"${LONG}"}`, 'claude'],
  ['no session', 'same', '{"hook_event_name":"Stop"}', 'claude'],
  ['no session, with white space around', 'same', ' {"hook_event_name":"Stop"}\n', 'claude'],
  ['an empty id', 'same', '{"session_id":""}', 'claude'],
  ['a number', 'same', '{"session_id":17}', 'claude'],
  ['an id that is cut', 'unknown', `{"session_id":"${'s'.repeat(400)}"}`, 'claude'],
  ['half a surrogate pair', 'unknown', '{"session_id":"\\ud83d"}', 'claude'],
  ['another client under its name', 'same', '{"session_id":"s1","cursor_version":"1"}', 'claude'],
  [
    'another client under its name, of two ids',
    'unknown',
    '{"session_id":"s1","conversation_id":"s2","generation_id":"g"}',
    'claude',
  ],
])('%s: %s', (_name, expected, text, agent) => {
  const raw = Buffer.from(text);
  const key = envelopeKey(agents, { raw, ...(agent && { agent }) });
  expect(key).toBe(expected === 'same' ? parsedKey(raw, agent) : null);
});

test.each([
  '',
  '{',
  '"',
  '{"session_id":"s1',
  '{"session_id":"\\',
  ']]]]}}}}',
  '{"a":"\\"',
  '\u0000\u0001',
  '[["session_id","s"]]',
])('what is no document throws nothing: %s', (text) => {
  expect(() => envelopeKey(agents, { raw: Buffer.from(text) })).not.toThrow();
});

test('a long hostile input is looked at for a few milliseconds', () => {
  const inputs = ['{"a":"\\\\', '[', '"', '{"":', '\\"'].map((piece) =>
    Buffer.from(piece.repeat(Math.ceil(10_000_000 / piece.length))),
  );
  for (const raw of inputs) {
    const began = performance.now();
    envelopeKey(agents, { raw });
    expect(performance.now() - began).toBeLessThan(1_000);
  }
});
