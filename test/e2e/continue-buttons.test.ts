// The buttons below a failure, in two chats, by the built programs: a session is kept from going on by itself, and then let go on.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitAsHook } from '../support/answering.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { APP_TOKEN, BOT_TOKEN, CHANNEL, startSlackServer } from '../support/slack-server.ts';
import { startTelegramServer, TOKEN } from '../support/telegram-server.ts';
import { until } from '../support/wait.ts';

interface Chat {
  /** Below [channels.phone]. */
  readonly lines: string;
  readonly isListening: () => boolean;
  /** What the buttons of the message say. */
  readonly labels: () => readonly string[];
  readonly text: () => string;
  /** A person presses the one that says so. */
  readonly press: (label: string) => void;
  /** What those who pressed were shown. */
  readonly lineTo: () => readonly string[];
}

interface SlackButton {
  readonly text: { readonly text: string };
  readonly value: string;
  readonly action_id: string;
}

const CHATS: readonly [string, () => Promise<Chat>][] = [
  [
    'telegram',
    async () => {
      const server = await startTelegramServer();
      const shown = () => server.shown.at(-1);
      return {
        lines: `type = "telegram"\napi_url = "${server.url}"\ntoken = "${TOKEN}"\nchat = 7\nallow = [42]`,
        isListening: () => server.requests.some(({ path }) => path.endsWith('getUpdates')),
        labels: () => shown()?.labels ?? [],
        text: () => shown()?.text ?? '',
        press: (label) => server.press(shown()?.buttons[shown()?.labels.indexOf(label) ?? -1] ?? 'none', 42),
        lineTo: () => [...server.answered.values()],
      };
    },
  ],
  [
    'slack-app',
    async () => {
      const server = await startSlackServer();
      const shown = () => server.shown.find(({ thread }) => thread === null);
      const buttons = () =>
        (shown()?.blocks.find(({ type }) => type === 'actions')?.elements ?? []) as unknown as readonly SlackButton[];
      return {
        lines: `type = "slack-app"\napi_url = "${server.url}/api"\ntoken = "${BOT_TOKEN}"\napp_token = "${APP_TOKEN}"\nchannel = "${CHANNEL}"\nallow = ["U042"]`,
        isListening: () => server.sockets.size > 0,
        labels: () => buttons().map(({ text: { text } }) => text),
        text: () => JSON.stringify(shown()),
        press: (label) => {
          const found = buttons().find(({ text: { text } }) => text === label);
          const message = shown();
          if (found && message) server.press(message, { value: found.value, action: found.action_id });
        },
        lineTo: () => server.whispers.map(({ text }) => text),
      };
    },
  ],
];

const OVERLOAD = {
  session_id: 'shop',
  cwd: '/src/shop',
  hook_event_name: 'StopFailure',
  error: 'overloaded',
  last_assistant_message: 'API Error: 529 Overloaded',
};
const prompt = (text: string) => ({
  session_id: 'shop',
  cwd: '/src/shop',
  hook_event_name: 'UserPromptSubmit',
  prompt: text,
});

test.each(CHATS)('%s', async (_name, start) => {
  const { lines, isListening, labels, text, press, lineTo } = await start();
  const home = temporaryFolder();
  const give = (input: object) => hook(home, JSON.stringify(input), ['--agent', 'claude']);
  writeFileSync(
    join(home, 'config.toml'),
    `[channels.phone]\n${lines}\nallow_private = true\n[[routes]]\nto = ["phone"]\n[answer]\nchannels = ["phone"]\n[resume]\non = ["overloaded"]\n`,
    { mode: 0o600 },
  );
  await startDaemon(home);
  await until(isListening, 'the receiver');
  await give(prompt('Mend the cart'));
  await give(OVERLOAD);
  const waiting = await waitAsHook(home, OVERLOAD);
  const has = (...wanted: readonly string[]) =>
    until(() => wanted.every((one, at) => labels().filter((label) => label !== 'Reply')[at] === one), String(wanted));
  await has('Continue', "Don't continue", 'Got it');
  expect(text()).toContain('529 Overloaded');

  press("Don't continue");
  await until(() => lineTo().length === 1, 'the answer to the press');
  expect(lineTo()).toEqual(['Belfry will not continue shop.']);
  await has('Continue', 'Got it');

  press('Continue');
  const said = await waiting.next();
  expect(said?.data).toMatchObject({ reply: 'continue' });
  await give(prompt('continue'));
  await until(() => lineTo().length === 2, 'the answer to the second press');
  expect(lineTo()[1]).toBe('shop: goes on');
  await until(() => labels().length === 0, 'the message to offer nothing any more');
  const events = (await belfry(home, ['events', '--json'])).stdout;
  expect(events.match(/"detail":"continued"/g)).toHaveLength(1);
});
