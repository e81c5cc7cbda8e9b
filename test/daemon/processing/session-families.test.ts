// A session and its subagents keep one order.
import { expect, test } from 'vitest';
import { createSessionFamilies } from '../../../src/daemon/processing/session-families.ts';
import { madeHook } from '../../support/decide.ts';

const input = (sessionId: string, parentSessionId: string | null = null) => madeHook(0, { sessionId, parentSessionId });

test('a subagent is in line with the session that began it, from its start on', () => {
  const familyOf = createSessionFamilies();
  const keys = [
    ['parent', null],
    ['child', 'parent'],
    ['child', null],
    ['grandchild', 'child'],
    ['grandchild', null],
    ['parent', null],
    ['other', null],
    ['itself', 'itself'],
  ] as const;
  expect(keys.map(([own, parent]) => familyOf(own, input(own, parent)))).toEqual([
    'parent',
    'parent',
    'parent',
    'parent',
    'parent',
    'parent',
    'other',
    'itself',
  ]);
});

test('only the latest thousand subagents are remembered', () => {
  const familyOf = createSessionFamilies();
  for (let n = 0; n <= 1_000; n++) familyOf(`child-${n}`, input(`child-${n}`, 'parent'));
  expect(['child-0', 'child-1', 'child-1000'].map((own) => familyOf(own, input(own)))).toEqual([
    'child-0',
    'parent',
    'parent',
  ]);
});
