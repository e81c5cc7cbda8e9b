// The words of the link: what is taken, what is kept though nobody here knows it, and what is refused.
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import {
  BATCH_LIMITS,
  batchAnswerSchema,
  batchHash,
  batchSchema,
  conflictSchema,
  fitsBatch,
  outdatedSchema,
} from '../../../src/model/link/batch.ts';
import { commandSchema, resultSchema } from '../../../src/model/link/command.ts';
import { type Fact, FACT_TYPES, factName, factSchema, inOrder } from '../../../src/model/link/fact.ts';
import { helloAnswerSchema, helloSchema } from '../../../src/model/link/hello.ts';
import { FACTS } from '../../support/link.ts';
import { NOON } from '../../support/made.ts';

const ID = '00000000-0000-7000-8000-000000000001';
const HELLO = {
  ...{ v: [1], features: [], epoch: 'e1', previous: null, sent_at: NOON, name: 'box', os: 'linux', version: '0.3.0' },
  ...{ answer: 'own', level: 'full' },
};
const BATCH = { batch: ID, previous: null, epoch: 'e1', sent_at: NOON, facts: Object.values(FACTS) };
const ANSWER = {
  ...{ type: 'answer', id: 'c1', by: 'Ann', via: 'page', person: 'p1', question: 'q1', input_hash: 'h' },
  ...{ answer: { type: 'allow' }, expires_in_ms: 10_000 },
};

describe('messages', () => {
  const messages: readonly [string, z.ZodType, object][] = [
    ['hello', helloSchema, HELLO],
    ['answer to hello', helloAnswerSchema, { machine: 'm1', v: 1, server_time: NOON }],
    ['facts', batchSchema, BATCH],
    ['answer to facts', batchAnswerSchema, { batch: ID, server_time: NOON, rejected: [{ index: 1, why: 'no' }] }],
    ['409', conflictSchema, { last_batch_hash: null }],
    ['426', outdatedSchema, { update: 'npm install -g belfry' }],
    ['answer', commandSchema, ANSWER],
    ['acknowledge', commandSchema, { type: 'acknowledge', id: 'c2', by: 'Ann', via: 'page', notification: 'ntf_1' }],
    ['resync', commandSchema, { type: 'resync', id: 'c3', what: 'all' }],
    ['revoked', commandSchema, { type: 'revoked', id: 'c4', why: 'the laptop was stolen' }],
    ['result', resultSchema, { command: 'c1', result: 'late', by: 'Bob', why: null }],
    ...Object.values(FACTS).map((fact): [string, z.ZodType, object] => [fact.type, factSchema, fact]),
  ];

  test.each(messages)('%s: taken, and what is not known of it is kept', (_name, schema, message) => {
    expect(schema.parse({ ...message, of_tomorrow: { deep: [1] } })).toMatchObject({
      ...message,
      of_tomorrow: { deep: [1] },
    });
  });

  test.each([
    ['a hello without versions', helloSchema, { ...HELLO, v: [] }],
    ['a hello at an unknown level', helloSchema, { ...HELLO, level: 'everything' }],
    [
      'a hub that takes next to nothing',
      helloAnswerSchema,
      { machine: 'm', v: 1, server_time: 1, limits: { bytes: 1 } },
    ],
    ['a batch whose id is no id', batchSchema, { ...BATCH, batch: 'x' }],
    ['a batch of too many facts', batchSchema, { ...BATCH, facts: Array(BATCH_LIMITS.facts + 1).fill(FACTS.event) }],
    ['a fact of an unknown type', factSchema, { ...FACTS.event, type: 'weather' }],
    ['an age below zero', factSchema, { ...FACTS.event, age_ms: -1 }],
    ['a version that is no number', factSchema, { ...FACTS.session, version: '3' }],
    ['an answer that lasts longer than answers do', commandSchema, { ...ANSWER, expires_in_ms: 10_001 }],
    ['an answer that says nothing', commandSchema, { ...ANSWER, answer: { type: 'always-allow' } }],
    ['a command of an unknown type', commandSchema, { ...ANSWER, type: 'run' }],
    ['a result that is none', resultSchema, { command: 'c1', result: 'maybe' }],
  ] as const)('%s is refused', (_name, schema, message) => {
    expect(schema.safeParse(message).success).toBe(false);
  });

  test('a batch is taken whatever its facts are: each is judged by itself', () => {
    expect(batchSchema.parse({ ...BATCH, facts: [{ type: 'weather' }, FACTS.event] }).facts).toHaveLength(2);
  });

  test('a hash is not the id, and another one for another id', () => {
    expect(batchHash(ID)).toMatch(/^[0-9a-f]{64}$/);
    expect(batchHash(ID)).not.toBe(batchHash(ID.replace(/1$/, '2')));
  });
});

describe('limits', () => {
  const long = (length: number): Fact => ({ ...FACTS.event, message: 'x'.repeat(length) });
  test.each([
    ['200 facts', Array(200).fill(FACTS.mute), true],
    ['201 facts', Array(201).fill(FACTS.mute), false],
    ['250 KB', [long(250_000)], true],
    ['260 KB', [long(260_000)], false],
    ['260 KB of two bytes each', [{ ...FACTS.event, message: 'ü'.repeat(131_000) }], false],
  ] as const)('%s', (_name, facts, fits) => {
    expect(fitsBatch(facts)).toBe(fits);
  });

  test('a hub may want less', () => {
    expect(fitsBatch([FACTS.mute, FACTS.mute], { facts: 1, bytes: 100_000 })).toBe(false);
    expect(fitsBatch([FACTS.mute], { facts: 1, bytes: 100 })).toBe(false);
  });
});

describe('order', () => {
  test('parents come first, whatever order they were found in', () => {
    const found = inOrder(Object.values(FACTS).toReversed());
    expect(found.map(({ type }) => type)).toEqual(FACT_TYPES);
  });

  test('of one row the latest version stays, of an event the first', () => {
    const older = { ...FACTS.session, version: 2, state: 'working' } as const;
    const copy = { ...FACTS.event, message: 'another text' };
    expect(inOrder([FACTS.session, older, FACTS.event, copy])).toEqual([FACTS.event, FACTS.session]);
    expect(inOrder([older, FACTS.session])).toEqual([FACTS.session]);
  });

  test.each([
    ['event', { ...FACTS.event, at: NOON + 1 }],
    ['session', { ...FACTS.session, host: 'other' }],
    ['notification', { ...FACTS.notification, id: 'ntf_0002' }],
    ['mute', { ...FACTS.mute, id: FACTS.question.id }],
  ] as const)('another %s has another name', (type, other) => {
    expect(factName(other)).not.toBe(factName(FACTS[type]));
    expect(inOrder([FACTS[type], other])).toHaveLength(2);
  });
});
