// The rules over the HTTP interface of a running daemon: who may, what the last days would have been, and that what is saved is in force at once.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createInterfaceClient } from '../../src/http/api/client.ts';
import { checked, messages, problemOf, visit } from '../support/interface.ts';
import { hook, startDaemon } from '../support/programs.ts';
import { smallDisk } from '../support/small-disk.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, homeWith, stop, writeSettings } from '../support/thread.ts';
import { until } from '../support/wait.ts';

const chat = (name: string, url: string): string =>
  `[channels.${name}]\ntype = "slack"\nurl = "${url}/services/x"\nallow_private = true\n`;

test('tried, saved, in force; not for tokens that read or answer', async () => {
  const [desk, phone] = await Promise.all([startReceiver(), startReceiver()]);
  const settings = `# mine\n${chat('desk', desk.url)}\n${chat('phone', phone.url)}\n# who\n[[routes]]\nto = ["desk"]\n`;
  const home = homeWith(settings);
  await startDaemon(home);
  const visitor = await visit(home);
  const { call, origin } = visitor;
  await hook(home, JSON.stringify(stop('one')), ['--agent', 'claude']);
  await desk.waitFor(1);

  const stored = await call('rules.text', {});
  expect(stored).toMatchObject({
    text: '# who\n[[routes]]\nto = ["desk"]\n',
    own: true,
    errors: [],
    routes: [{ route: 1, to: ['desk'], when: 'always', delay: '', urgency: [], projects: [] }],
    channels: [
      { name: 'desk', audience: 'people', locked: false },
      { name: 'phone', audience: 'people', locked: false },
    ],
  });
  const text = stored.text ?? '';
  const tried = await call('rules.preview', { text, edit: { route: 1, to: ['phone'] } });
  expect(tried.text).toBe('# who\n[[routes]]\nto = ["phone"]\n');
  expect(tried.preview).toMatchObject({
    events: 1,
    text: '1 message, as now; none urgent lost.',
    changes: [{ difference: 'other', before: ['desk at once'], after: ['phone at once'] }],
  });
  expect((await call('rules.preview', { text: `${text}[api]\n` })).errors).toMatchObject([{ line: 4 }]);
  expect((await call('rules.preview', { text: '[[', edit: { route: 1, to: [] } })).errors).toHaveLength(1);
  expect(readFileSync(join(home, 'config.toml'), 'utf8')).toBe(settings);

  for (const scope of ['read', 'answer'] as const) {
    const { token } = await asked<{ token: string }>(home, ['token', 'add', scope, '--scope', scope]);
    const other = checked(createInterfaceClient({ origin, token: () => token }));
    const { version } = stored;
    for (const ask of [
      () => other('rules.text', {}),
      () => other('rules.preview', { text }),
      () => other('rules.save', { text: '', version }),
    ])
      expect((await problemOf(ask())).status).toBe(403);
  }

  const stopping = new AbortController();
  const seen: string[] = [];
  const following = (async () => {
    for await (const { data } of messages(visitor, { signal: stopping.signal }))
      seen.push(...(data.changes ?? []).map(({ type }) => type));
  })().catch(() => undefined); // ended below
  expect(
    (await problemOf(call('rules.save', { text: `${text}[api]\n`, version: stored.version }))).errors,
  ).toMatchObject([{ line: 4, message: expect.stringContaining('is no rule') }]);
  const saved = await call('rules.save', { text: tried.text, version: stored.version });
  expect(saved).toMatchObject({ text: tried.text, problem: null });
  expect((await problemOf(call('rules.save', { text, version: stored.version }))).status).toBe(409);
  expect(readFileSync(join(home, 'config.toml'), 'utf8')).toBe(settings.replace('["desk"]', '["phone"]'));
  await hook(home, JSON.stringify(stop('two')), ['--agent', 'claude']);
  await phone.waitFor(1);
  expect(desk.requests).toHaveLength(1);
  await until(() => seen.includes('settings'), 'followers to hear of it');

  // From the editor too.
  seen.length = 0;
  writeSettings(home, settings);
  await until(() => seen.includes('settings'), 'followers to hear of that as well');
  expect((await call('rules.text', {})).version).not.toBe(saved.version);
  stopping.abort();
  await following;
});

test('without channels of its own a file says so, and a broken one what is wrong', async () => {
  const home = homeWith('[quiet]\nhours = []\n');
  await startDaemon(home);
  const { call } = await visit(home);
  expect(await call('rules.text', {})).toMatchObject({ own: false, text: '[quiet]\nhours = []\n' });
  writeSettings(home, '[quiet\nhours = []\n');
  const broken = await call('rules.text', {});
  expect(broken).toMatchObject({ text: null, errors: [{ message: expect.stringContaining('broken on line 1') }] });
  const refused = await problemOf(call('rules.save', { text: '', version: broken.version }));
  expect([refused.status, refused.detail]).toEqual([422, expect.stringContaining('broken on line 1')]);
});

test('a full disk: nothing is changed, and nothing is left behind', async () => {
  const disk = smallDisk();
  const { home } = disk;
  const { url } = await startReceiver();
  const settings = `${chat('desk', url)}[[routes]]\nto = ["desk"]\n`;
  writeSettings(home, settings);
  const daemon = await startDaemon(home, { env: disk.env });
  const { call } = await visit(home);
  const { version } = await call('rules.text', {});
  disk.fill(daemon.pid);
  const change = () => call('rules.save', { text: '[[routes]]\nto = []\n', version });
  const refused = await problemOf(change());
  expect([refused.status, refused.detail]).toEqual([409, expect.stringContaining('nothing was changed')]);
  expect(readFileSync(join(home, 'config.toml'), 'utf8')).toBe(settings);
  expect(readdirSync(home).filter((name) => name.includes('config.toml'))).toEqual(['config.toml']);
  disk.free(daemon.pid);
  expect((await change()).problem).toBeNull();
  expect(readFileSync(join(home, 'config.toml'), 'utf8')).toContain('to = []');
});
