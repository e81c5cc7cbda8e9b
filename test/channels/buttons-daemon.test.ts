// The button "Got it" through the built daemon: who may press it, that it works once, after a restart too, and that a forged one does nothing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { belfry, startDaemon } from '../support/programs.ts';
import { APP_TOKEN, BOT_TOKEN, CHANNEL, startSlackServer } from '../support/slack-server.ts';
import { startTelegramServer, TOKEN } from '../support/telegram-server.ts';
import { until } from '../support/wait.ts';

interface Buttons {
  /** Below [channels.phone]. */
  readonly lines: string;
  readonly isListening: () => boolean;
  /** Texts as people see them, with what their buttons carry. */
  readonly shown: () => readonly { readonly text: string; readonly button: string | null }[];
  /** Somebody presses the button of the message with this number; `reference`: a forged one. */
  readonly press: (index: number, by: 'allowed' | 'stranger', reference?: string) => void;
  /** What those who pressed were shown. */
  readonly lineTo: () => readonly string[];
}

const CHANNELS: readonly [string, () => Promise<Buttons>][] = [
  [
    'telegram',
    async () => {
      const server = await startTelegramServer();
      return {
        lines: `type = "telegram"\napi_url = "${server.url}"\ntoken = "${TOKEN}"\nchat = 7\nallow = [42]`,
        isListening: () => server.requests.some(({ path }) => path.endsWith('getUpdates')),
        shown: () => server.shown.map(({ text, buttons }) => ({ text, button: buttons[0] ?? null })),
        press: (index, by, reference) =>
          server.press(reference ?? server.shown[index]?.buttons[0] ?? 'none', by === 'allowed' ? 42 : 43),
        lineTo: () => [...server.answered.values()],
      };
    },
  ],
  [
    'slack-app',
    async () => {
      const server = await startSlackServer();
      const keys = `token = "${BOT_TOKEN}"\napp_token = "${APP_TOKEN}"\nchannel = "${CHANNEL}"`;
      return {
        lines: `type = "slack-app"\napi_url = "${server.url}/api"\n${keys}`,
        isListening: () => server.sockets.size > 0,
        shown: () =>
          server.shown.map(({ text, blocks }) => ({
            text,
            button: blocks.find(({ type }) => type === 'actions')?.elements?.[0]?.value ?? null,
          })),
        press: (index, by, value) => {
          const message = server.shown[index];
          if (message)
            server.press(message, {
              value,
              action: 'belfry_acknowledge',
              user: by === 'allowed' ? {} : { id: 'U9', team_id: 'T9' },
            });
        },
        lineTo: () => server.whispers.map(({ text }) => text),
      };
    },
  ],
];

test.each(CHANNELS)('%s', async (_name, start) => {
  const { lines, isListening, shown, press, lineTo } = await start();
  const home = temporaryFolder();
  const config = `[channels.phone]\n${lines}\nallow_private = true\n[[routes]]\nto = ["phone"]\n`;
  writeFileSync(join(home, 'config.toml'), config, { mode: 0o600 });
  await startDaemon(home);
  await until(isListening, 'the receiver');
  for (const title of ['First', 'Second']) await belfry(home, ['send', title, 'waits']);
  const [first, second] = shown();
  expect(first?.button).toMatch(/^ack:ntf_[\w-]{24}:[\w-]{22}$/);

  press(0, 'stranger');
  press(
    0,
    'allowed',
    first?.button?.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
  );
  await until(() => lineTo().length === 1, 'the answer to the forged one');
  expect(lineTo()).toEqual(['This button was not made by this Belfry.']);
  expect(shown()).toEqual([first, second]);

  press(0, 'allowed');
  await until(() => shown()[0]?.button === null, 'the edited message');
  expect(shown()[0]?.text).toMatch(/✓ acknowledged by \S+ through phone/);
  expect(shown()[1]).toEqual(second);
  press(0, 'allowed', first?.button ?? '');
  await until(() => lineTo().length === 3, 'the answer to the second press');
  expect(lineTo().slice(1)).toEqual(['Acknowledged.', expect.stringMatching(/^Nothing to do: acknowledged by /)]);

  expect((await belfry(home, ['restart'])).code).toBe(0);
  press(1, 'allowed');
  if (!isListening()) await until(isListening, 'the receiver');
  await until(() => {
    if (shown()[1]?.button !== null && isListening()) press(1, 'allowed'); // until the new daemon listens
    return shown()[1]?.button === null;
  }, 'the second to be acknowledged');
  const { stdout } = await belfry(home, ['pending', '--json']);
  expect(JSON.parse(stdout)).toEqual([]);
});
