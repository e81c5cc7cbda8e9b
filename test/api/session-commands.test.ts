// `sessions send`, `create`, `follow`: attachments, the note for the watch, messages as they arrive.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { api, envOf, json } from '../support/service-command.ts';

describe('sessions', () => {
  test('send attaches with the right media types and base names only', async () => {
    const service = await startReceiver();
    service.answer = () => json({ messageId: 'm', status: 'running' });
    const home = temporaryFolder();
    const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
    writeFileSync(join(home, 'screen.jpg'), png);
    writeFileSync(join(home, 'notes.md'), '# Ünïcode\n');
    writeFileSync(join(home, 'paper.pdf'), '%PDF-1.7 \xff');
    writeFileSync(join(home, 'data.unknown'), 'a\n');
    const files = ['notes.md', 'paper.pdf', 'data.unknown'].flatMap((name) => ['--file', join(home, name)]);
    writeFileSync(join(home, 'shot.webp'), 'not yet written');
    const images = ['screen.jpg', 'shot.webp'].flatMap((name) => ['--image', join(home, name)]);
    const args = ['sessions', 'send', 's', '--text', '-dash', ...images, ...files];
    const ran = await api(service.url, [...args, '--computer-id', 'c', '--json'], home);
    expect(ran).toMatchObject({ code: 0, stdout: '{"messageId":"m","status":"running"}\n', stderr: '' });
    const base64 = (name: string): string => readFileSync(join(home, name)).toString('base64');
    const file = (name: string, mediaType: string, parsedData: string) => ({
      type: 'base64',
      mediaType,
      data: base64(name),
      parsedData,
      name,
      path: name,
    });
    expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({
      text: '-dash',
      images: [
        { type: 'base64', data: png.toString('base64'), mediaType: 'image/png' },
        { type: 'base64', data: base64('shot.webp'), mediaType: 'image/webp' },
      ],
      files: [
        file('notes.md', 'text/markdown', '# Ünïcode\n'),
        file('paper.pdf', 'application/pdf', ''),
        file('data.unknown', 'text/plain', 'a\n'),
      ],
      computerId: 'c',
    });
    expect(service.requests[0]?.body).not.toContain(home);
  });

  test('follow says how many earlier messages it leaves out, and names attachments', async () => {
    const service = await startReceiver();
    const message = (i: number, content: unknown[]) => ({
      id: `m${i}`,
      role: 'user',
      content,
      createdAt: i,
      updatedAt: i,
    });
    const all = [
      ...Array.from({ length: 12 }, (_, i) => message(i, [{ type: 'text', text: `word ${i}` }])),
      message(12, [{ type: 'file', name: 'notes.md' }, { type: 'image' }]),
    ];
    service.answer = ({ path }) =>
      path.includes('/messages')
        ? json({ messages: all })
        : json({ sessionId: 's', status: 'idle', messageCount: 13, createdAt: 1, updatedAt: 1 });
    const ran = await api(service.url, ['sessions', 'follow', 's']);
    expect(ran.stderr).toBe('3 earlier messages not shown; see belfry api sessions messages s --all\n');
    expect(ran.stdout.split('\n').slice(-3)).toEqual([
      expect.stringMatching(/user: \[file notes\.md\]$/),
      '[image]',
      '',
    ]);
  });

  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());
  const real = (home: string, args: readonly string[]) =>
    belfry(home, ['api', ...args], { env: { ...envOf(sandbox.baseUrl, sandbox.apiKey) } });

  test('create remembers the id for the watch; follow prints each message once and ends when idle', async () => {
    const home = temporaryFolder();
    const created = await real(home, ['sessions', 'create', '--computer-id', 'comp_f79694f1688b3631', '--json']);
    const { sessionId } = JSON.parse(created.stdout) as { sessionId: string };
    const note = join(home, 'state', 'created-sessions');
    expect(readFileSync(note, 'utf8')).toBe(`${sessionId}\n`);
    expect(statSync(note).mode & 0o777).toBe(0o600);
    expect((await real(home, ['sessions', 'send', sessionId, '--text', 'hello there'])).code).toBe(0);
    const followed = await real(home, ['sessions', 'follow', sessionId, '--json']);
    expect(followed.code).toBe(0);
    const roles = followed.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { role: string }).role);
    expect(roles).toEqual(['user', 'tool', 'assistant']);
  });

  test('unknown session: exit 4', async () => {
    expect((await real(temporaryFolder(), ['sessions', 'get', 'none'])).code).toBe(4);
  });
});
