// Files of machines elsewhere beside those of this one: which can be seen, how old that may be, and when a clock there is not believed.
import { expect, test } from 'vitest';
import { withFarFiles } from '../../../src/daemon/shared/far-files.ts';
import { type FarFile, farPath, farPlace } from '../../../src/model/far-file.ts';
import { virtualClock } from '../../support/clock.ts';
import { realFiles } from '../../support/files.ts';

test.each<[path: string | null, there: string | null]>([
  ['/home/ada/a b.jsonl', '/home/ada/a b.jsonl'],
  ['~/.copilot/x/events.jsonl', '~/.copilot/x/events.jsonl'],
  ['/new\nline', '/new\nline'],
  ['relative.jsonl', null],
  ['~ada/x', null],
  ['C:\\x.jsonl', null],
  ['', null],
  [null, null],
])('%s', (path, there) => {
  const far = farPath('box', path);
  expect(far === null ? null : farPlace(far)).toEqual(there && { remote: 'box', path: there });
});

test.each(['/home/ada/x', 'remote://box', 'remote:///x', 'http://box/x', '~/x'])(
  '%s is a path of this machine',
  (path) => {
    expect(farPlace(path)).toBeNull();
  },
);

const PATH = 'remote://box/t.jsonl';

function world(found: (now: number) => FarFile | null) {
  const clock = virtualClock();
  const asked: string[] = [];
  const look = async (remote: string, path: string, most: number) => {
    asked.push(`${remote} ${path} ${most}`);
    return found(clock.now());
  };
  return { clock, asked, files: withFarFiles(realFiles(), look, clock) };
}
const fileAt = (now: number, end = 'the end'): FarFile => ({ size: 9, modified: 5_000, now, end: Buffer.from(end) });

test('size, time and end of a file there; nothing else can be seen', async () => {
  const { files, asked } = world(fileAt);
  expect(await files.target(PATH)).toMatchObject({ kind: 'file', size: 9, mtimeMs: 5_000 });
  expect(await files.end(PATH, 7)).toEqual({ text: 'the end', whole: false });
  expect(asked).toEqual(['box /t.jsonl 0', 'box /t.jsonl 7']);
  expect([await files.start(PATH, 1), await files.names(PATH, 1), await files.realPath(PATH)]).toEqual([
    null,
    null,
    PATH,
  ]);
  const own = new URL(import.meta.url).pathname;
  expect(await files.start(own, 2)).toBe('//');
  expect(asked).toHaveLength(2);
});

test('a size is known for five seconds, a look that found nothing too', async () => {
  let isThere = false;
  const { clock, files, asked } = world((now) => (isThere ? fileAt(now) : null));
  const sizes: (number | undefined)[] = [];
  for (let i = 0; i < 7; i++) {
    sizes.push((await files.target(PATH))?.size);
    isThere = true;
    await clock.advance(1_000);
  }
  expect([sizes, asked.length]).toEqual([[undefined, undefined, undefined, undefined, undefined, 9, 9], 2]);
});

test('where the clock is wrong by more than three seconds nothing is known', async () => {
  for (const wrong of [-60_000, -5_000, 4_000, 1e9]) {
    const { files } = world((now) => fileAt(now + wrong));
    expect([wrong, await files.target(PATH), await files.end(PATH, 7)]).toEqual([wrong, null, null]);
  }
});
