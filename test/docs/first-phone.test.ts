// The steps of docs/guide/first-phone.md, taken literally in a home with nothing in it: they lead to a prompt on the phone.
import { expect, test } from 'vitest';
import { permission } from '../support/answering.ts';
import { newcomer } from '../support/newcomer.ts';
import { startNtfyServer } from '../support/ntfy-server.ts';
import { belfry, hook } from '../support/programs.ts';
import { until } from '../support/wait.ts';
import { commandsIn, fencesOf } from './fences.ts';

test('from nothing to a prompt on the phone', async () => {
  const { home, env } = newcomer();
  const server = await startNtfyServer();
  const [steps] = fencesOf('docs/guide/first-phone.md').filter(({ language }) => language === 'sh');
  const commands = steps ? commandsIn(steps) : [];
  expect(commands.map(({ words: [first] }) => first)).toEqual(['install', 'channel']);
  for (const { words } of commands) {
    // This server in the place of ntfy.sh, and what a person would answer.
    const answers = words[0] === 'channel' ? ['--set', `server=${server.url}`, '--yes'] : [];
    expect(await belfry(home, [...words, ...answers], { env }), words.join(' ')).toMatchObject({ code: 0 });
  }
  const sent = server.published.length;
  expect(sent).toBeGreaterThan(0);
  await hook(home, JSON.stringify(permission('first', 'touch allowed.txt')), ['--agent', 'claude'], { env });
  const [shown] = await until(() => {
    const later = server.published.slice(sent).filter(({ message }) => message?.includes('touch allowed.txt'));
    return later.length > 0 ? later : null;
  }, 'the prompt on the phone');
  expect(shown?.title).toContain('needs permission');
});
