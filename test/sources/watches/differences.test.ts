// The readable difference of two settings snapshots, what loosens a limit, and that no secret is kept or shown.
import { describe, expect, test } from 'vitest';
import { difference, type Json, describeChange, withoutSecrets } from '../../../src/api/changes/settings-difference.ts';
import { loosens } from '../../../src/api/changes/loosened-settings.ts';

const notified = (before: Json, after: Json): string[] =>
  difference(withoutSecrets(before), withoutSecrets(after)).map(describeChange);

describe('sentences', () => {
  test.each<[string, Json, Json, string[]]>([
    ['nothing', { a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, []],
    ['a switch', { sandbox: { enabled: true } }, { sandbox: { enabled: false } }, ['sandbox.enabled: true -> false']],
    ['a new setting', {}, { wikiCloudSync: true }, ['wikiCloudSync: set to true']],
    ['a removed setting', { days: 90 }, {}, ['days: removed (was 90)']],
    [
      'a list',
      { commandDenylist: ['a', 'b'] },
      { commandDenylist: ['b', 'c'] },
      ['commandDenylist: added c, removed a'],
    ],
    ['an order', { l: ['a', 'b'] }, { l: ['b', 'a'] }, ['l: put in another order']],
    ['an emptied list', { l: ['a'] }, { l: [] }, ['l: removed a']],
    [
      'a model by its id',
      { customModels: [{ id: 'x', n: 1 }] },
      { customModels: [{ id: 'x', n: 2 }] },
      ['customModels.[x].n: 1 -> 2'],
    ],
    ['null', { a: null }, { a: 'x' }, ['a: null -> x']],
    ['an empty text', { a: 'x' }, { a: '' }, ['a: x -> (empty)']],
    ['a type', { a: 'x' }, { a: { b: 1 } }, ['a.b: set to 1', 'a: removed (was x)']],
    ['__proto__', JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":2}}'), ['__proto__.a: 1 -> 2']],
  ])('%s', (_name, before, after, lines) => expect(notified(before, after)).toEqual(lines));

  test.each<[string, Json, Json]>([
    [
      'apiKey',
      { customModels: [{ id: 'm', apiKey: 'sk-old-123456' }] },
      { customModels: [{ id: 'm', apiKey: 'sk-new-123456' }] },
    ],
    [
      'headers',
      { customModels: [{ id: 'm', extraHeaders: { 'x-a': 'old-123456' } }] },
      { customModels: [{ id: 'm', extraHeaders: { 'x-a': 'new-123456' } }] },
    ],
    ['a new key', {}, { customModels: [{ id: 'm', apiKey: 'sk-new-123456' }] }],
    ['a removed key', { customModels: [{ id: 'm', api_key: 'sk-old-123456' }] }, {}],
  ])('the secret of %s is neither kept nor shown', (_name, before, after) => {
    const kept = JSON.stringify([withoutSecrets(before), withoutSecrets(after), notified(before, after)]);
    expect(kept).not.toMatch(/old-123456|new-123456/);
    expect(notified(before, after).join()).toMatch(/secret/);
  });
});

describe('loosening', () => {
  test.each<[Json, Json, boolean]>([
    [{ maxAutonomyLevel: 'low' }, { maxAutonomyLevel: 'high' }, true],
    [{ maxAutonomyLevel: 'high' }, { maxAutonomyLevel: 'low' }, false],
    [{ maxAutonomyLevel: 'unheard-of' }, { maxAutonomyLevel: 'high' }, false],
    [
      { sessionDefaultSettings: { autonomyLevel: 'off' } },
      { sessionDefaultSettings: { autonomyLevel: 'medium' } },
      true,
    ],
    [{ sandbox: { enabled: true } }, { sandbox: { enabled: false } }, true],
    [{ sandbox: { enabled: true } }, {}, true],
    [{ sandbox: { enabled: false } }, { sandbox: { enabled: true } }, false],
    [
      { sandbox: { network: { allowAllUnixSockets: false } } },
      { sandbox: { network: { allowAllUnixSockets: true } } },
      true,
    ],
    [{ sandbox: { network: {} } }, { sandbox: { network: { allowLocalBinding: true } } }, true],
    [{ sandbox: { filesystem: { denyRead: ['~/.ssh'] } } }, { sandbox: { filesystem: { denyRead: [] } } }, true],
    [{ commandDenylist: ['rm'] }, { commandDenylist: [] }, true],
    [{ commandDenylist: ['rm'] }, { commandDenylist: ['rm', 'dd'] }, false],
    [{ commandAllowlist: ['git'] }, { commandAllowlist: ['git', 'curl'] }, true],
    [{ commandAllowlist: ['git', 'curl'] }, { commandAllowlist: ['git'] }, false],
    [{ networkPolicy: { allowedIps: ['192.0.2.0/24'] } }, { networkPolicy: { allowedIps: [] } }, true],
    [{ mcpPolicy: { enabled: true } }, { mcpPolicy: { enabled: false } }, true],
    [{ modelPolicy: { blockedModelIds: ['x'] } }, { modelPolicy: {} }, true],
    [{ modelPolicy: { allowCustomModels: false } }, { modelPolicy: { allowCustomModels: true } }, true],
    [{ sessionRetentionDays: 30 }, { sessionRetentionDays: 90 }, false],
    [{ cloudSessionSync: false }, { cloudSessionSync: true }, false],
  ])('%j -> %j: %s', (before, after, expected) => expect(difference(before, after).some(loosens)).toBe(expected));
});
