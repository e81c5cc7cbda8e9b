// `[hub.NAME]`: what may be written there.
import { describe, expect, test } from 'vitest';
import { fileSchema } from '../../../src/config/schema.ts';
import { HUB_NAME, hubSchema } from '../../../src/model/settings/hubs.ts';
import { secretFields } from '../../../src/model/settings/secret-fields.ts';

const WORK = { url: 'https://belfry.example.com', token: 'secret:hub-work', forward: { match: { cwd: '~/work/**' } } };

describe('[hub.NAME]', () => {
  test('has defaults for all but what a person has to say', () => {
    expect(hubSchema.parse(WORK)).toEqual({
      ...WORK,
      forward: { match: { cwd: ['~/work/**'] } },
      ...{ level: 'full', answer: 'own', reach_me: 'hub' },
    });
    expect(secretFields(hubSchema, WORK)).toEqual([{ path: ['token'], value: 'secret:hub-work' }]);
  });

  test.each([
    ['without what leaves', { forward: undefined }],
    ['with a match that no route has', { forward: { match: { folder: '~/work' } } }],
    ['over http', { url: 'http://belfry.example.com' }],
    ['to another machine that calls itself this one', { url: 'http://127.0.0.1.example.com' }],
    ['with a password in its address', { url: 'https://ann:secret@belfry.example.com' }],
    ['with a query in its address', { url: 'https://belfry.example.com/?token=x' }],
    ['at an address that is none', { url: 'belfry' }],
    ['with a key that is not known', { levels: 'full' }],
    ['answered by anybody', { answer: 'everyone' }],
  ])('%s: refused', (_name, change) => {
    expect(hubSchema.safeParse({ ...WORK, ...change }).success).toBe(false);
  });

  test.each(['https://belfry.example.com/hub', 'http://localhost:7717', 'http://127.0.0.1:7717', 'http://[::1]:7717'])(
    '%s is taken',
    (url) => expect(hubSchema.parse({ ...WORK, url }).url).toBe(url),
  );

  test.each([
    ['work', true],
    ['a-b_2', true],
    ['', false],
    ['a:b', false],
    ['../x', false],
  ])('the name %j', (name, fits) => expect(HUB_NAME.test(name)).toBe(fits));

  test('config.toml does not offer it before something follows it', () => {
    expect(fileSchema.safeParse({ hub: { work: WORK } }).success).toBe(false);
  });
});
