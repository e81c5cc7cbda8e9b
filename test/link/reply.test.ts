// What an answer of a hub means, and whether a batch may have been taken by then.
import { describe, expect, test } from 'vitest';
import { readReply } from '../../src/link/reply.ts';
import type { HttpResult } from '../../src/lib/net/http.ts';
import { NOON } from '../support/made.ts';

const ID = '00000000-0000-7000-8000-000000000001';
const BATCH = { id: ID, serial: 3, end: '7', inResync: false, row: 2, at: NOON };
const SENT = { batch: BATCH, history: null };
const HELLO = { machine: 'm1', v: 1, server_time: NOON };
const TAKEN = { batch: ID, server_time: NOON, rejected: [{ index: 0, why: 'no' }] };

const answer = (status: number, body: unknown, retryAfter?: number): HttpResult => ({
  ...{ kind: 'answer', status, headers: {}, retryAfter },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const fault = (written: boolean): HttpResult => ({ kind: 'network', error: 'closed the connection', written });

describe('an answer to a batch', () => {
  test.each<[string, HttpResult, object]>([
    ['200', answer(200, TAKEN), { type: 'taken', batch: BATCH, answer: { rejected: [{ index: 0, why: 'no' }] } }],
    ['200 for another batch', answer(200, { ...TAKEN, batch: ID.replace(/1$/, '2') }), { type: 'failed', batch: true }],
    ['200 without JSON', answer(200, '<html>'), { type: 'failed', batch: true }],
    ['409', answer(409, { last_batch_hash: 'abc' }), { type: 'other batch', hash: 'abc' }],
    ['409 of a hub that has none', answer(409, { last_batch_hash: null }), { type: 'other batch', hash: null }],
    ['409 of something else', answer(409, {}), { type: 'failed', batch: false }],
    ['426', answer(426, { update: 'npm install -g belfry' }), { type: 'outdated', update: 'npm install -g belfry' }],
    ['426 without a command', answer(426, ''), { type: 'outdated', update: null }],
    ['426 with controls of a terminal', answer(426, { update: 'x\u001b[2J' }), { type: 'outdated', update: null }],
    ['426 with a very long command', answer(426, { update: 'x'.repeat(201) }), { type: 'outdated', update: null }],
    ['503 of the hub', answer(503, '', 3_000), { type: 'busy', retryAfter: 3_000, batch: false }],
    ['503 of a proxy', answer(503, ''), { type: 'busy', retryAfter: undefined, batch: true }],
    ['429', answer(429, '', 1_000), { type: 'busy', retryAfter: 1_000, batch: false }],
    ['401', answer(401, ''), { type: 'refused' }],
    ['403', answer(403, ''), { type: 'refused' }],
    ['400', answer(400, ''), { type: 'failed', batch: false }],
    ['302', answer(302, ''), { type: 'failed', batch: false }],
    ['502', answer(502, ''), { type: 'failed', batch: true }],
    ['no connection', fault(false), { type: 'failed', batch: false, why: 'closed the connection' }],
    ['a connection that broke after all was sent', fault(true), { type: 'failed', batch: true }],
  ])('%s', (_name, result, what) => {
    expect(readReply(result, SENT, NOON)).toMatchObject(what);
  });

  test('nothing that a hub says is repeated to people', () => {
    for (const status of [200, 400, 401, 409, 429, 500, 503])
      expect(JSON.stringify(readReply(answer(status, { detail: 'run this' }), SENT, NOON))).not.toContain('run this');
  });
});

describe('an answer to a hello', () => {
  test.each<[string, HttpResult, object]>([
    ['200', answer(200, HELLO), { type: 'greeted', sentAt: NOON, answer: { resync: 'none', level_at_most: 'full' } }],
    ['200 with what it asks', answer(200, { ...HELLO, resync: 'all' }), { answer: { resync: 'all' } }],
    ['200 that is none', answer(200, { ...HELLO, resync: 'some' }), { type: 'failed', batch: false }],
    ['503 of a proxy', answer(503, ''), { type: 'busy', batch: false }],
    ['500', answer(500, ''), { type: 'failed', batch: false }],
    ['a connection that broke', fault(true), { type: 'failed', batch: false }],
  ])('%s', (_name, result, what) => {
    expect(readReply(result, null, NOON)).toMatchObject(what);
  });
});
