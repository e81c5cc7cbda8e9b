// Titles, bodies and the cleaning and cutting of text.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../src/model/event/event.ts';
import type { Context } from '../../../src/model/notification/notification.ts';
import { render } from '../../../src/pipeline/index.ts';
import { plainText, truncate, sanitizeLine } from '../../../src/lib/text/text.ts';
import { formatElapsed } from '../../../src/model/quantities.ts';
import { madeEvent } from '../../support/made.ts';

const NOTHING: Context = { messages: [] };
const event = (more: Partial<Event>): Event => madeEvent({ message: null, branch: null, ...more });
const said = (more: Partial<Event>, who = 'Claude', context = NOTHING) => render(event(more), context, who);

describe('titles', () => {
  test.each<[title: string, more: Partial<Event>, who?: string]>([
    [
      'payments: Claude needs permission to run Bash',
      { kind: 'agent.waiting', detail: 'permission', attributes: { tool: { name: 'Bash', summary: 'ls' } } },
    ],
    ['payments: Claude needs your permission', { kind: 'agent.waiting', detail: 'permission' }],
    [
      'payments: Qwen needs permission to run write_file',
      { kind: 'agent.waiting', detail: 'permission', message: 'Qwen Code needs your permission to use write_file' },
      'Qwen',
    ],
    [
      'payments: Claude needs your permission',
      { kind: 'agent.waiting', detail: 'permission', message: 'The CLI needs permission to execute 1 tool(s)' },
    ],
    ['payments: Claude has a question', { kind: 'agent.waiting', detail: 'question' }],
    ['payments: Claude waits for your input', { kind: 'agent.waiting', detail: 'idle' }],
    ['payments: Claude needs your attention', { kind: 'agent.waiting', detail: 'elicitation' }],
    [
      'payments: Claude: Signed in',
      { kind: 'agent.waiting', detail: 'auth_success', urgency: 'low', message: 'Signed in\n' },
    ],
    ['payments: Claude needs your attention', { kind: 'agent.waiting', detail: 'auth_success', urgency: 'low' }],
    ['payments: Claude finished after 12 min', { attributes: { seconds: 720 } }],
    ['payments: Claude finished', {}],
    ['Claude finished', { project: null }],
    ['payments: Claude finished, background work still runs', { detail: 'background' }],
    ["payments: Claude's session ended abnormally (error)", { kind: 'session.ended', abnormal: true, reason: 'error' }],
    [
      "payments: Claude's session ended (other)",
      { kind: 'session.ended', abnormal: true, reason: 'other', urgency: 'low' },
    ],
    ["payments: Claude's session ended (logout)", { kind: 'session.ended', reason: 'logout' }],
    ["payments: Claude's session ended", { kind: 'session.ended' }],
    ['payments: Claude stopped: rate limit', { kind: 'session.failed', detail: 'rate-limit' }],
    ['payments: Claude stopped: unknown error', { kind: 'session.failed', detail: 'unknown' }],
    ['payments: Droid is gone', { kind: 'session.failed', detail: 'vanished' }, 'Droid'],
    [
      'payments: Droid is stalled, silent for 30 min',
      { kind: 'session.failed', detail: 'stalled', attributes: { seconds: 1_800 } },
      'Droid',
    ],
    [
      "payments: Claude's subagent finished: Review",
      { kind: 'subagent.finished', attributes: { subagent: { id: null, name: 'Review' } } },
    ],
    ['payments: Claude: PreCompact', { kind: 'agent.other', hookEvent: 'PreCompact' }],
    ['Deploy is done', { kind: 'test', presetText: { title: 'Deploy\nis done', body: '' } }],
  ])('%s', (title, more, who) => {
    expect(said(more, who).title).toBe(title);
  });

  test.each([
    [0.4, null],
    [1, '1 s'],
    [59.4, '59 s'],
    [59.6, '1 min'],
    [720, '12 min'],
    [3_600, '1 h'],
    [7_500, '2 h 5 min'],
    [Number.NaN, null],
  ])('%f seconds: %s', (seconds, text) => {
    expect(formatElapsed(seconds)).toBe(text);
  });
});

describe('bodies', () => {
  const context: Context = {
    messages: [
      { role: 'user', text: 'Tidy\nthe code', at: 1, from: 'service' },
      { role: 'assistant', text: 'Done: 3 files.', at: 2, from: 'service' },
    ],
  };

  test('a message stands in it letter by letter', () => {
    const message = '-rf "quoted" \'single\'\nsecond line <b>bold</b> & co 👩‍👩‍👧 שלום';
    expect(said({ kind: 'agent.waiting', detail: 'attention', message }).body).toBe(message);
  });

  test('a finish: last words, the request, the branch', () => {
    expect(said({ branch: 'main' }, 'Claude', context).body).toBe('Done: 3 files.\nYou asked: Tidy the code\nOn main');
  });

  test('without context: what the input and the session record hold', () => {
    expect(said({ attributes: { last_assistant_message: 'All done.', request: 'Tidy' } }).body).toBe(
      'All done.\nYou asked: Tidy',
    );
  });

  test.each<[why: string, more: Partial<Event>, body: string]>([
    ['the title says it', { message: 'Claude is waiting for your input' }, 'You asked: Tidy'],
    ['nor does a number of tools', { message: 'The CLI needs permission to execute 1 tool(s)' }, 'You asked: Tidy'],
    [
      'a tool nobody else names is news',
      { message: 'It needs your permission to use Bash' },
      'It needs your permission to use Bash',
    ],
    [
      'more than the title is news',
      { message: 'Claude is waiting for your input. Twice.' },
      'Claude is waiting for your input. Twice.',
    ],
  ])('what waits says something new: %s', (_, more, body) => {
    expect(said({ kind: 'agent.waiting', detail: 'idle', attributes: { request: 'Tidy' }, ...more }).body).toBe(body);
  });

  test('a plan: its text, once', () => {
    const plan = '# Plan\n\n1. Move the files\n2. Run the tests';
    const attributes = { tool: { name: 'ExitPlanMode', summary: '# Plan 1. Move the files 2. Run the tests' } };
    const { title, body } = said({ kind: 'agent.waiting', detail: 'question', message: plan, attributes });
    expect([title, body]).toEqual(['payments: Claude has a plan to approve', plan]);
  });

  test('a command keeps its lines', () => {
    const attributes = { tool: { name: 'Bash', summary: 'cat <<EOF > a.txt\nfirst\nEOF' } };
    const more: Partial<Event> = { kind: 'agent.waiting', detail: 'permission', message: 'Write the file', attributes };
    expect(said(more).body).toBe('cat <<EOF > a.txt\nfirst\nEOF\nWrite the file');
  });

  test('a permission: what for', () => {
    const attributes = { tool: { name: 'Bash', summary: 'rm -rf build' } };
    expect(said({ kind: 'agent.waiting', detail: 'permission', attributes }, 'Claude', context).body).toBe(
      'rm -rf build',
    );
  });

  test('a finish sent while work continues: what still runs', () => {
    const running = [
      { id: null, type: 'shell', label: 'npm run dev' },
      { id: null, type: 'subagent', label: null },
    ];
    expect(said({ detail: 'background', attributes: { running } }).body).toBe(
      'Still running: npm run dev (shell), subagent',
    );
  });

  test('the same words are not said twice', () => {
    expect(
      said({
        kind: 'session.failed',
        detail: 'server',
        message: 'Overloaded',
        attributes: { last_assistant_message: 'Overloaded' },
      }).body,
    ).toBe('Overloaded');
    const attributes = { tool: { name: 'Ask', summary: 'Which colour?' } };
    expect(said({ kind: 'agent.waiting', detail: 'question', message: 'Which colour?', attributes }).body).toBe(
      'Which colour?',
    );
  });
});

describe('text', () => {
  test.each([
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['a title set', '\u001b]0;evil\u0007x', 'x'],
    ['a link', '\u001b]8;;http://x\u001b\\here', 'here'],
    ['C1', 'a\u009b31mb', 'ab'],
    ['bell, backspace, NUL', 'a\u0007\u0008\u0000b', 'ab'],
    ['line ends', 'a\r\nb\rc', 'a\nb\nc'],
    ['reading order turned', 'a\u202eb', 'ab'],
    ['tab and line feed stay', 'a\tb\nc', 'a\tb\nc'],
  ])('%s', (_name, text, expected) => {
    expect(plainText(text)).toBe(expected);
  });

  test('cut counts graphemes and splits none', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(truncate(family.repeat(5), 5)).toBe(family.repeat(5));
    expect(truncate(family.repeat(6), 5)).toBe(`${family.repeat(4)}…`);
    expect(truncate('abc', 3)).toBe('abc');
    expect(truncate('abcd', 3)).toBe('ab…');
  });

  test('any text: no control, no more than the limit, and the same again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 1, max: 50 }), (text, limit) => {
        const out = sanitizeLine(text, limit);
        expect(out).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
        expect([...new Intl.Segmenter().segment(out)].length).toBeLessThanOrEqual(limit + 1);
        expect(plainText(out)).toBe(out);
      }),
      { numRuns: 50 },
    );
  });

  test('ten megabytes cost no more than a line', () => {
    expect(said({ message: 'x'.repeat(10_000_000) }).body.length).toBeLessThan(2_100);
  });
});
