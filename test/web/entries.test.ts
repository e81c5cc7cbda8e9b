// The places of what waits: what is alike is one entry, what changed is by itself, what is settled stays, what is new is held.
import { expect, test } from 'vitest';
import { type Entry, isOpen, keepEntries, STAYS } from '../../src/web/store/entries.ts';
import type { Question, WaitingItem } from '../../src/web/store/waiting-item.ts';
import { nextWords } from '../../src/web/lib/cards/next-words.ts';

const NOW = 1_000_000;

/** A session that asks to run a command. */
function asks(id: string, command: string, more: Partial<Question> = {}): WaitingItem {
  const question: Question = {
    id,
    notification_id: `of ${id}`,
    session_key: id,
    kind: 'permission',
    state: 'open',
    subject: { agent: 'claude', tool: 'Bash', text: command, partial: null },
    answers: ['allow', 'deny'],
    seen: `${id} ${command}`,
    deadline: new Date(NOW).toISOString(),
    answered_by: null,
    closed: null,
    ...more,
  };
  return { key: id, question, notification: null };
}

const keep = (before: readonly Entry[], items: readonly WaitingItem[], more = {}): readonly Entry[] =>
  keepEntries(before, items, { now: NOW, selected: null, holds: false, ...more });

/** Entries as the keys of their lines. */
const keysOf = (entries: readonly Entry[]): readonly (readonly string[])[] =>
  entries.map(({ lines }) => lines.map(({ item }) => item.key));

test('sessions that ask for the same are one entry, in the order in which they came', () => {
  const entries = keep([], [asks('a', 'ls'), asks('b', 'pwd'), asks('c', 'ls')]);
  expect(keysOf(entries)).toEqual([['a', 'c'], ['b']]);
  expect(keysOf(keep(entries, [asks('a', 'ls'), asks('b', 'pwd'), asks('c', 'ls'), asks('d', 'ls')]))).toEqual([
    ['a', 'c', 'd'],
    ['b'],
  ]);
});

test('one of them that asks for something else now is by itself at once, and answered by itself', () => {
  const entries = keep([], [asks('a', 'ls'), asks('b', 'ls'), asks('c', 'ls')]);
  const changed = keep(entries, [asks('a', 'ls'), asks('b', 'rm -rf ~'), asks('c', 'ls')], { selected: 'a' });
  expect(keysOf(changed)).toEqual([['a', 'c'], ['b']]);
  expect(changed.every(isOpen)).toBe(true);
});

test.each([
  ['another tool', { subject: { agent: 'claude', tool: 'Edit', text: 'ls', partial: null } }],
  ['another client', { subject: { agent: 'codex', tool: 'Bash', text: 'ls', partial: null } }],
  ['what cannot be allowed from here', { answers: ['deny'] }],
  ['an answer that is on its way', { answered_by: 'ada' }],
  ['a choice', { kind: 'choice' as const }],
])('%s is not alike', (_, more) => {
  expect(keysOf(keep([], [asks('a', 'ls'), asks('b', 'ls', more)]))).toEqual([['a'], ['b']]);
});

test('what is settled stays in its place for seconds, and what is looked at until somebody goes on', () => {
  const entries = keep([], [asks('a', 'ls'), asks('b', 'pwd')]);
  const settled = keep(entries, [asks('b', 'pwd')]);
  expect(keysOf(settled)).toEqual([['a'], ['b']]);
  expect(settled.map(isOpen)).toEqual([false, true]);
  expect(keysOf(keep(settled, [asks('b', 'pwd')], { now: NOW + STAYS - 1 }))).toEqual([['a'], ['b']]);
  expect(keysOf(keep(settled, [asks('b', 'pwd')], { now: NOW + STAYS }))).toEqual([['b']]);
  expect(keysOf(keep(settled, [asks('b', 'pwd')], { now: NOW + 10 * STAYS, selected: 'a' }))).toEqual([['a'], ['b']]);
});

test('a failure that takes an instruction now is among what is asked, and is not said to be over where it was', () => {
  const notification = { id: 'n', kind: 'session.failed', group: 'failed' } as WaitingItem['notification'];
  const failed: WaitingItem = { key: 'n', question: null, notification };
  const { question } = asks('q', '', { kind: 'text', notification_id: 'n', answers: ['reply'] });
  const asking: WaitingItem = { key: 'q', question, notification };
  const after = keep(keep([], [failed]), [asking]);
  expect(after.map(({ key, group }) => [key, group])).toEqual([['q', 'blocking']]);
  expect(after.map(isOpen)).toEqual([true]);
});

test('what comes while somebody points at the list is held, and shown afterwards', () => {
  const first = asks('a', 'ls');
  const held = keep(keep([], [first]), [first, asks('b', 'pwd')], { holds: true });
  expect(held.map(({ isHeld }) => isHeld)).toEqual([false, true]);
  expect(keep(held, [first, asks('b', 'pwd')]).map(({ isHeld }) => isHeld)).toEqual([false, false]);
});

test('what did not change is the same object, so that it is not drawn again', () => {
  const items = [asks('a', 'ls'), asks('b', 'pwd')];
  const entries = keep([], items);
  const next = keep(entries, items);
  expect(next.every((entry, at) => entry === entries[at])).toBe(true);
});

test('what comes of several within the same minute is said once', () => {
  const step = (seconds: number) => ({
    what: 'escalation' as const,
    channel: 'phone',
    at: new Date(seconds * 1_000).toISOString(),
    only: 'always' as const,
    held: false,
  });
  expect(nextWords([step(590), step(592), step(595)], 0)).toEqual(['phone in 9 min']);
});
