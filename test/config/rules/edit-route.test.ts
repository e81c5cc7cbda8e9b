// The form's changes of a route, made in the text: all else stays as it is written.
import { expect, test } from 'vitest';
import { editRoute, type RouteEdit, routeFields } from '../../../src/config/rules/edit-route.ts';

const RULES = `# first
[[routes]]
match = { kind = "agent.waiting", urgency = "urgent" } # loud
to = ["desk"] # here
delay = "5s"
when = "away"

[[routes]]
to = ["desk"]
`;

const cases: readonly (readonly [what: string, edit: RouteEdit, from: string, to: string])[] = [
  ['to', { route: 1, to: ['desk', 'phone'] }, 'to = ["desk"] # here', 'to = ["desk", "phone"] # here'],
  ['to nobody', { route: 1, to: [] }, 'to = ["desk"] # here', 'to = [] # here'],
  ['no delay', { route: 1, delay: ' ' }, 'delay = "5s"\n', ''],
  ['another delay', { route: 1, delay: '2m' }, '"5s"', '"2m"'],
  ['always', { route: 1, when: 'always' }, 'when = "away"\n', ''],
  ['idle', { route: 1, when: 'idle' }, '"away"', '"idle"'],
  ['any urgency', { route: 1, urgency: [] }, ', urgency = "urgent"', ''],
  ['two urgencies', { route: 1, urgency: ['low', 'urgent'] }, '"urgent"', '["low", "urgent"]'],
  ['projects', { route: 1, projects: ['a', 'b-*'] }, '"urgent" }', '"urgent", project = ["a", "b-*"] }'],
  ['a first delay', { route: 2, delay: '1m' }, 'to = ["desk"]\n', 'to = ["desk"]\ndelay = "1m"\n'],
  ['a first condition', { route: 2, projects: ['a'] }, 'to = ["desk"]\n', 'to = ["desk"]\nmatch = { project = "a" }\n'],
  ['nothing', { route: 2 }, '', ''],
];

test.each(cases)('%s', async (_what, edit, from, to) => {
  const at = edit.route === 1 ? RULES.indexOf(from) : RULES.lastIndexOf(from);
  const wanted = RULES.slice(0, at) + to + RULES.slice(at + from.length);
  expect(await editRoute(RULES, edit)).toEqual({ text: wanted });
});

test('text that is typed is a value, whatever it says', async () => {
  const hostile = ['"]\n[channels.x]', "'''", '\\', '\u202e', '${x}', '#'];
  const edited = await editRoute(RULES, { route: 2, projects: hostile, delay: '"\nto = []' });
  if ('refused' in edited) throw new Error(edited.refused);
  expect(routeFields(edited.text)[1]).toMatchObject({ projects: hostile, delay: '"\nto = []', to: ['desk'] });
  expect(routeFields(edited.text)).toHaveLength(2);
});

test('the last condition goes with its table; what is written otherwise is left to the text', async () => {
  const one = '[[routes]]\nmatch = { project = "a" }\nto = []\n';
  expect(await editRoute(one, { route: 1, projects: [] })).toEqual({ text: '[[routes]]\nto = []\n' });
  const dotted = '[[routes]]\nmatch.kind = "test"\nto = []\n';
  expect(await editRoute(dotted, { route: 1, projects: ['a'] })).toMatchObject({ refused: expect.any(String) });
  const table = '[[routes]]\nto = []\n[routes.match]\nkind = "test"\n';
  expect(await editRoute(table, { route: 1, projects: ['a'] })).toEqual({ text: `${table}project = "a"\n` });
  expect(await editRoute(one, { route: 2, to: [] })).toMatchObject({ refused: expect.stringContaining('no route 2') });
  expect(routeFields('[[routes')).toEqual([]);
});
