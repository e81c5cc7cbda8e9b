// The real Codex as it starts by itself, answered from elsewhere: each way, each end of a wait, and nobody else's prompt touched.
import { expect, it } from 'vitest';
import { until } from '../support/wait.ts';
import { codexTool, QUESTION } from './asked-tools.ts';
import { joinedWorld } from './joined-world.ts';
import { codex } from './real/codex.ts';

const DIALOG = 'Would you like to run the following command';
const quote = (title: string, screen: string): void => console.log(`--- ${title}\n${screen.replace(/\n{2,}/g, '\n')}`);

const world = () => joinedWorld(codex, { choose: codexTool, install: ['--answer'], start: (client) => [client] });

it('allow, deny with text, choose, free text and reply from the command line', async () => {
  const w = await world();
  if (w === null) return;
  const terminal = await w.open();
  await w.prompt(terminal, 'touch allowed.txt');
  quote('it asks', await terminal.shows(DIALOG));
  const allowed = await w.asked('permission');
  expect(allowed.subject).toMatchObject({
    tool: 'Bash',
    text: expect.stringMatching(/^touch allowed\.txt\n/),
    partial: null,
  });
  expect(await w.belfry('answer', allowed.id, 'allow', '--wait')).toMatchObject({ code: 0 });
  await w.made('allowed.txt');
  quote('allowed', await terminal.shows('That is done.'));

  // The turn is over: a reply starts the next one.
  const idle = await w.asked('text');
  expect(await w.belfry('reply', idle.id, 'touch replied.txt')).toMatchObject({ code: 0 });
  const denied = await w.asked('permission');
  quote('replied', await terminal.shows(DIALOG));
  expect(await w.belfry('answer', denied.id, 'deny', '--message', 'use notes.md instead')).toMatchObject({ code: 0 });
  await w.read('use notes.md instead');
  quote('denied', await terminal.screen());
  expect(w.exists('replied.txt')).toBe(false);

  await w.asked('text', [idle]);
  for (const [answer, means] of [
    ['2', 'Red'],
    ['as green as grass', 'as green as grass'],
  ] as const) {
    const before = await w.questions();
    await w.prompt(terminal, 'ask me');
    quote('it asks a question', await terminal.shows(QUESTION));
    const asked = await w.asked('choice', before);
    expect(await w.belfry('answer', asked.id, answer)).toMatchObject({ code: 0 });
    await w.read(means);
    quote('chosen', await terminal.screen());
    await w.asked('text', before);
  }
});

it('every end of a wait leaves the prompt to the terminal, and what comes late reaches nobody', async () => {
  const w = await world();
  if (w === null) return;
  const terminal = await w.open();
  const asks = async (name: string) => {
    const before = await w.questions();
    await w.prompt(terminal, `touch ${name}`);
    await terminal.shows(DIALOG);
    return w.asked('permission', before);
  };
  const press = (key: string) => terminal.press(key, (screen) => !screen.includes(DIALOG));
  /** Closed within what time (ms), why; a late answer is refused. */
  const closed = async (id: string, from: number, words: readonly string[] = ['answer', id, 'allow']) => {
    const { closed: why } = await w.settled(id, 'closed');
    console.log(`closed after ${Date.now() - from} ms: ${why}`);
    const late = await w.belfry(...words);
    expect([late.code, late.stderr]).toEqual([5, expect.stringContaining('only its terminal can answer now')]);
    return why;
  };

  // Yes at the terminal.
  const first = await asks('first.txt');
  const before = await w.questions();
  const pressed = Date.now();
  await press('y');
  expect(await closed(first.id, pressed)).toBe('answered at the terminal');
  await w.made('first.txt');

  // A prompt at the terminal: the reply to the finish of before is refused.
  const idle = await w.asked('text', before);
  const second = await asks('second.txt');
  expect(await closed(idle.id, Date.now(), ['reply', idle.id, 'go on'])).toBe('it got a prompt at its terminal');

  // Esc in the dialog.
  const escaped = Date.now();
  await press('Escape');
  expect(await closed(second.id, escaped)).toBe('answered at the terminal');
  expect(w.exists('second.txt')).toBe(false);

  // The daemon is killed: the dialog stays; the next daemon finds the question, and the same one is answered.
  await terminal.shows(/^› Ask Codex/m);
  const third = await asks('third.txt');
  await w.daemon.stop('SIGKILL');
  await terminal.shows(DIALOG);
  const restarted = Date.now();
  w.daemon = await w.startDaemon();
  const allowed = await until(async () => (await w.belfry('answer', third.id, 'allow')).code === 0, 'the answer');
  console.log(`answered ${Date.now() - restarted} ms after the daemon's start: ${allowed}`);
  await w.made('third.txt');

  // And again, answered at the terminal while no daemon runs.
  const idleAgain = await w.asked('text', [idle]);
  const fourth = await asks('fourth.txt');
  await w.daemon.stop('SIGKILL');
  await press('y');
  await w.made('fourth.txt');
  w.daemon = await w.startDaemon();
  await closed(fourth.id, Date.now());
  await closed(idleAgain.id, Date.now(), ['reply', idleAgain.id, 'go on']);

  // Its server is killed, as with the machine's end of a session: nothing reaches anybody.
  await terminal.shows(/^› Ask Codex/m);
  const fifth = await asks('fifth.txt');
  const killed = Date.now();
  for (const pid of await w.pidsOf('app-server --listen')) process.kill(pid, 'SIGKILL');
  await closed(fifth.id, killed);
  expect(w.exists('fifth.txt')).toBe(false);

  // One-shot: nothing is asked from elsewhere, and nothing held up.
  const all = await w.questions();
  const ran = await w.once(['exec', '--dangerously-bypass-hook-trust', '--skip-git-repo-check', 'hello']);
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  expect((await w.questions()).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
});
