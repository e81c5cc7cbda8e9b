// The commands of docs/reference/http.md, pasted into a shell beside a daemon whose HTTP interface is on.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BELFRY, bareEnv, run, startDaemon } from '../support/programs.ts';
import { asked, homeWith, stop } from '../support/thread.ts';
import { until } from '../support/wait.ts';
import { fencesOf } from './fences.ts';

const [add = '', post = '', read = ''] = fencesOf('docs/reference/http.md')
  .filter(({ language }) => language === 'sh')
  .map(({ text }) => text);

test('a token is made, a hook input is posted, metrics and health are read', async () => {
  const home = homeWith('[http]\nlisten = ["127.0.0.1:0"]\n[[routes]]\nto = []\n');
  writeFileSync(join(home, 'belfry'), `#!/bin/sh\nexec "${process.execPath}" "${BELFRY}" "$@"\n`);
  chmodSync(join(home, 'belfry'), 0o755);
  await startDaemon(home);
  const address = await until(async () => (await asked<{ http: string[] }>(home, ['status'])).http[0], 'the address');
  const port = String(address?.split(':').at(-1));
  let token = '';
  const paste = async (block: string, input = ''): Promise<string> => {
    const env = bareEnv(home, { PATH: `${home}:${process.env['PATH']}`, BELFRY_TOKEN: token });
    const ran = await run('sh', ['-ec', block.replaceAll('7717', port)], env, { cwd: home, input });
    expect({ block, code: ran.code, said: ran.stderr }).toMatchObject({ code: 0 });
    return ran.stdout;
  };
  token = /\S{20,}/.exec(await paste(add))?.[0] ?? '';
  const { id } = JSON.parse(await paste(post, JSON.stringify(stop('far')))) as { id: string };
  const [event] = await until(async () => {
    const events = await asked<{ id: string; host: string }[]>(home, ['events']);
    return events.length > 0 ? events : null;
  }, 'the event');
  expect(event).toMatchObject({ id, host: 'devbox' });
  const answers = await paste(read);
  expect(answers).toMatch(/^# HELP /m);
  expect(answers).toContain('{"status":"live"}');
  expect(answers).toContain('{"status":"ready"}');
});
