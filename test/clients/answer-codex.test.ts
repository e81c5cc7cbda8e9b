// The real Codex as it starts by itself, answered from elsewhere: each way, each end of a wait, and nobody else's prompt touched.
import { expect, it } from 'vitest';
import type { WantedTool } from './model/protocol.ts';
import { joinedWorld } from './joined-world.ts';
import { codex } from './real/codex.ts';

const DIALOG = 'Would you like to run the following command';
const QUESTION = 'Which colour should the button have?';
const COLOUR = {
  questions: [
    {
      ...{ id: 'colour', header: 'Colour', question: QUESTION },
      options: [
        { label: 'Blue', description: 'A calm blue' },
        { label: 'Red', description: 'A strong red' },
      ],
    },
  ],
};
const quote = (title: string, screen: string): void => console.log(`--- ${title}\n${screen.replace(/\n{2,}/g, '\n')}`);

/** What the words ask for: "touch NAME", "ask me", or nothing but a text. */
function choose(text: string): WantedTool | null {
  const name = /^touch (\S+)/m.exec(text)?.[1];
  if (name) return { ...codex.touch, input: { ...codex.touch.input, cmd: `touch ${name}` } };
  return /^ask me/m.test(text) ? { name: 'request_user_input', input: COLOUR } : null;
}

const world = () => joinedWorld(codex, { choose, install: ['--answer'], start: (client) => [client] });

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
  console.log(w.log());
});
