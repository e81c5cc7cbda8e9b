// Templates of the settings: filled with values that stay data, and bounded.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Wording } from '../../../src/model/notification/wording-settings.ts';
import { KINDS } from '../../../src/model/event/event.ts';
import {
  fieldsOf,
  fillTemplate,
  parseTemplate,
  templateFields,
} from '../../../src/model/notification/message-template.ts';
import { applyWording } from '../../../src/pipeline/words/titles.ts';
import { madeContent, madeEvent } from '../../support/made.ts';

const VALUES = { project: 'payments', branch: 'main', duration: '12 min', detail: null };

describe('filling', () => {
  test.each<[template: string, filled: string]>([
    ['{project} ({branch}): done in {duration}', 'payments (main): done in 12 min'],
    ['{project} ({detail}): done', 'payments: done'],
    ['{project} ({branch}, {detail}): done', 'payments (main): done'],
    ['{project} ({branch}): done in {detail}', 'payments (main): done'],
    ['{project}: {detail}', 'payments'],
    ['{detail}: done in {duration}.', 'done in 12 min.'],
    ['{project} · {detail} · on {branch}', 'payments · on main'],
    ['within {detail} of {project}', 'within of payments'],
    ['done (really)', 'done (really)'],
    ['{{project}} is {project}', '{project} is payments'],
    ['a (b', 'a (b'],
    ['a) b ({project}', 'a) b (payments'],
    ['({project} (x))', '(payments (x))'],
    ['{nothing}{project}', 'payments'],
  ])('%s', (template, filled) => {
    expect(fillTemplate(template, VALUES)).toBe(filled);
  });

  test.each(['{project', 'project}', '{a b}', '{}', '{Project}', '', '  ', 'x'.repeat(1_001)])(
    '%s is refused',
    (template) => {
      expect(parseTemplate(template)).toHaveProperty('fault');
    },
  );

  test('a value is never read as a template', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (project, branch) => {
        expect(fillTemplate('<{project}|{branch}>', { project, branch })).toBe(`<${project}|${branch}>`);
      }),
    );
  });

  test('any text parses or is refused, without delay', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '(', ')', 'a', ' '), maxLength: 1_000 }), (template) => {
        const parts = parseTemplate(template);
        if (!('fault' in parts)) expect(fieldsOf(parts).every((name) => /^[a-z_]+$/.test(name))).toBe(true);
      }),
    );
  });
});

const wording = (title: Wording['title'], body: Wording['body'] = {}): Wording => ({ title, body });
const finished = madeContent({
  event: madeEvent({ attributes: { seconds: 720, last_assistant_message: 'All green.' } }),
});

describe('a notification', () => {
  test.each<[name: string, wordings: readonly (Wording | null)[], title: string, body: string]>([
    ['no wording', [null], 'payments: finished', 'on main'],
    ['of another kind', [wording({ 'agent.waiting': 'x' })], 'payments: finished', 'on main'],
    [
      'a title',
      [wording({ 'agent.finished': '{agent}: {title}, {duration}' })],
      'Claude: payments: finished, 12 min',
      'on main',
    ],
    [
      'a body',
      [wording({}, { 'agent.finished': '{answer}\n\n{body}' })],
      'payments: finished',
      'All green.\n\non main',
    ],
    [
      'the channel goes before, each for itself',
      [wording({ 'agent.finished': 'A' }), wording({ 'agent.finished': 'B' }, { 'agent.finished': '{host}/{user}' })],
      'A',
      'box/dev',
    ],
    [
      'nothing known of it',
      [wording({ 'agent.finished': '{reason}' }, { 'agent.finished': '{reason}' })],
      'payments: finished',
      '',
    ],
  ])('%s', (_name, wordings, title, body) => {
    expect(applyWording(finished, 'Claude', wordings)).toEqual({ ...finished, title, body });
  });

  test('hostile content stays data, on one line where there is one', () => {
    const hostile = '{title}\u001b]0;x\u0007<b>&\u202e\n{{project}}';
    const content = madeContent({ event: madeEvent({ project: hostile, message: 'm'.repeat(9_000) }) });
    const { title, body } = applyWording(content, 'Claude', [
      wording({ 'agent.finished': '{project}' }, { 'agent.finished': '{project}|{message}{message}{message}' }),
    ]);
    expect(title).toBe('{title}<b>& {{project}}');
    expect(body.startsWith('{title}<b>&\n{{project}}|mmm')).toBe(true);
    expect(body.length).toBeLessThanOrEqual(4_000);
  });

  test.each(KINDS)('%s: every field of its set can be filled', (kind) => {
    const content = madeContent({ event: madeEvent({ kind }) });
    const template = templateFields(kind)
      .map((name) => `[{${name}}]`)
      .join('');
    const { body } = applyWording(content, 'Claude', [wording({}, { [kind]: template })]);
    expect(body).not.toContain('{');
    expect(body).toContain('[payments]');
  });
});
