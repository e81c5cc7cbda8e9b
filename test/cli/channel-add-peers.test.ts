// `belfry channel add` on a terminal, as a person does it: MQTT with a real broker, Web Push with a browser of the page. From nothing to messages that arrive.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Heard, isInstalled, SIGN_IN, startMosquitto } from '../channels/mosquitto.ts';
import { temporaryFolder } from '../support/home.ts';
import { visit } from '../support/interface.ts';
import { bareEnv, BELFRY, belfry, startDaemon } from '../support/programs.ts';
import { startPushService } from '../support/push-service.ts';
import { KEYS, onTerminal, type Step } from '../support/terminal.ts';
import { until } from '../support/wait.ts';

const { enter } = KEYS;
const typed = (home: string, args: readonly string[], steps: readonly Step[]) =>
  onTerminal([process.execPath, BELFRY, 'channel', 'add', ...args], bareEnv(home), steps);
const config = (home: string): string => readFileSync(join(home, 'config.toml'), 'utf8');
const titles = (heard: readonly Heard[]): string[] =>
  heard
    .filter(({ topic }) => topic.endsWith('/events'))
    .map(({ payload }) => {
      const { data } = JSON.parse(payload) as { data: { notification: { title: string } } };
      return data.notification.title;
    });

test.skipIf(!isInstalled)('MQTT: a wrong password changes nothing, the right one ends with a message', async () => {
  const home = temporaryFolder();
  const broker = await startMosquitto();
  const heard = await broker.watch();
  const answers = (password: string): Step[] => [
    ['Address of the broker', `mqtt://127.0.0.1:${broker.port}${enter}`],
    ['User name (optional)', `${SIGN_IN.user}${enter}`],
    ['Password', `${password}${enter}`],
    ['is on this machine or its network', enter],
  ];
  const wrong = await typed(home, ['mqtt'], answers('other'));
  expect(wrong).toMatchObject({
    code: 5,
    screen: expect.stringMatching(/correct `user` and `password`; nothing was changed/),
  });
  expect(() => config(home)).toThrow();

  const right = await typed(home, ['mqtt'], [...answers(SIGN_IN.password), ['Send a test message now?', enter]]);
  expect(right.code, right.screen).toBe(0);
  expect(right.screen).toMatch(/mqtt: test message delivered in \d+ ms\s+Added \[channels\.mqtt\]/);
  expect(right.screen).not.toContain(SIGN_IN.password);
  await until(() => titles(heard).length === 1, 'the test message');
  expect(config(home)).toContain(
    `[channels.mqtt]\ntype = "mqtt"\nurl = "mqtt://127.0.0.1:${broker.port}"\nuser = "${SIGN_IN.user}"\npassword = "secret:mqtt_password"\nallow_private = true\n`,
  );
  expect(readFileSync(join(home, 'secrets', 'mqtt_password'), 'utf8').trim()).toBe(SIGN_IN.password);

  await startDaemon(home);
  expect((await belfry(home, ['send', 'Build failed'])).code).toBe(0);
  await until(() => titles(heard).includes('Build failed'), 'an event');
});

test('Web Push: without a browser it says how one is subscribed, with one it ends with a message there', async () => {
  const home = temporaryFolder();
  const service = await startPushService();
  const args = ['webpush', '--set', 'allow_private=true']; // the push service of the tests is on this machine
  const steps: Step[] = [['How push services can reach you (optional)', `mailto:me@example.com${enter}`]];
  const without = await typed(home, args, steps);
  expect(without.code).toBe(5);
  expect(without.screen.replace(/\s+/g, ' ')).toContain(
    'no browser is subscribed: run `belfry dashboard`, open Channels and press "Notify in this browser"; nothing was changed',
  );
  expect(() => config(home)).toThrow();

  await startDaemon(home);
  const { call } = await visit(home);
  await call('push.subscribe', service.subscribe('firefox'));
  const added = await typed(home, args, [...steps, ['Send a test message now?', enter]]);
  expect(added.code, added.screen).toBe(0);
  expect(service.pushed).toMatchObject([
    { browser: 'firefox', subject: 'mailto:me@example.com', message: { title: 'belfry test' } },
  ]);
  expect((await belfry(home, ['send', 'Build failed'])).code).toBe(0);
  await until(() => service.pushed.at(-1)?.message['title'] === 'Build failed', 'an event');
  expect((await call('push.get', {})).channels).toEqual(['webpush']);
});
