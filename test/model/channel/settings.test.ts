// Secrets in settings, however deep; what a channel can do under its settings; what becomes of what is resolved.
import { expect, test } from 'vitest';
import * as z from 'zod';
import { desktop } from '../../../src/channels/desktop.ts';
import { slack } from '../../../src/channels/slack.ts';
import { webhook } from '../../../src/channels/webhook.ts';
import { maskSecrets } from '../../../src/config/secrets/resolve-secrets.ts';
import type { ChannelType } from '../../../src/model/channel/channel.ts';
import { capabilitiesOf, onResolvedOf } from '../../../src/model/channel/capabilities.ts';
import { secretFields, withFieldAt } from '../../../src/model/settings/secret-fields.ts';

const secret = z.string().meta({ secret: true });
const schema = z.strictObject({
  plain: z.string().optional(),
  top: secret.optional().describe('described afterwards'),
  inner: z.strictObject({ key: secret, name: z.string() }).optional(),
  list: z.array(z.strictObject({ token: secret.default('x') })).default([]),
  byName: z.record(z.string(), secret).optional(),
  either: z
    .union([z.string(), z.array(z.string()).min(1)])
    .meta({ secret: true })
    .optional(),
  changed: secret.transform((text) => text.trim()).optional(),
});

test.each([
  [{ plain: 'a' }, []],
  [{ top: 's' }, [['top']]],
  [{ inner: { key: 's', name: 'n' } }, [['inner', 'key']]],
  [
    { list: [{ token: 's' }, { token: 's' }] },
    [
      ['list', 0, 'token'],
      ['list', 1, 'token'],
    ],
  ],
  [{ byName: { a: 's' } }, [['byName', 'a']]],
  [{ either: 's' }, [['either']]],
  [
    { either: ['s', 's'] },
    [
      ['either', 0],
      ['either', 1],
    ],
  ],
  [{ changed: 's' }, [['changed']]],
])('secrets in %j', (settings, paths) => {
  const found = secretFields(schema, settings);
  expect(found).toEqual(paths.map((path) => ({ path, value: 's' })));
  const resolved = found.reduce<unknown>((all, { path }) => withFieldAt(all, path, 'resolved'), settings);
  expect(JSON.stringify(resolved)).toBe(JSON.stringify(settings).replaceAll('"s"', '"resolved"'));
  expect(JSON.stringify(maskSecrets(schema, settings))).toBe(JSON.stringify(settings).replaceAll('"s"', '"(hidden)"'));
});

const typed = (channel: unknown): ChannelType => channel as ChannelType; // as in the registry

test.each([
  [desktop, {}, null, 'remove'],
  [desktop, { on_resolved: 'keep' }, null, 'keep'],
  [desktop, {}, 'update', 'update'],
  [slack, {}, null, 'keep'],
  [slack, { on_resolved: 'remove' }, null, 'keep'],
  [webhook, {}, null, 'keep'],
  [webhook, { updates: true }, null, 'update'],
  [webhook, { updates: true, on_resolved: 'remove' }, null, 'remove'],
] as const)('what is resolved on $type with %j and %s', (channel, settings, general, expected) => {
  expect(onResolvedOf(typed(channel), settings, general)).toBe(expected);
});

test('a capability that a setting switches on', () => {
  expect(capabilitiesOf(typed(webhook), { updates: false })).toMatchObject({ update: false, idempotent: true });
  expect(capabilitiesOf(typed(webhook), { updates: true })).toMatchObject({ update: true, retract: true });
});
