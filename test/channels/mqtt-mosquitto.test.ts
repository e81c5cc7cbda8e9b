// MQTT with a real broker: sign-in, TLS with an authority of one's own, what is kept, the will of a killed daemon, a restart of the broker.
import { describe, expect, test } from 'vitest';
import { mqtt } from '../../src/channels/mqtt.ts';
import { topicsOf } from '../../src/channels/mqtt/topics.ts';
import { deliver, messageOf, toolsOf } from '../contracts/channel.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { homeWith } from '../support/thread.ts';
import { until } from '../support/wait.ts';
import { type Heard, isInstalled, SIGN_IN, startMosquitto } from './mosquitto.ts';

const topics = topicsOf('belfry');
const lastOf = (heard: readonly Heard[], topic: string): string | undefined =>
  heard.filter((message) => message.topic === topic).at(-1)?.payload;

describe.skipIf(!isInstalled)('Mosquitto', () => {
  test.each([
    ['in the clear', () => ({}), 'plain'],
    ['over TLS, with its authority', (ca: string) => ({ ca }), 'tls'],
  ] as const)('accepts a message %s', async (_how, more, how) => {
    const { port, tlsPort, ca, watch } = await startMosquitto();
    const heard = await watch();
    const url = how === 'tls' ? `mqtts://localhost:${tlsPort}` : `mqtt://127.0.0.1:${port}`;
    const input = { url, allow_private: true, ...SIGN_IN, ...more(ca) };
    const text = 'Über 👩‍👩‍👧 \0 <b> '.repeat(2_000);
    expect(await deliver(mqtt, input, messageOf({ body: text }))).toEqual({ ok: true });
    await until(() => heard.length > 0, 'it to arrive');
    expect(heard).toMatchObject([{ topic: topics.events, qos: 1, retain: false }]);
    expect(JSON.parse(heard[0]?.payload ?? '')).toMatchObject({ data: { notification: { body: text } } });
    expect(await mqtt.check(mqtt.schema.parse(input), toolsOf())).toMatchObject([{ level: 'ok' }]);
  });

  test('refuses a wrong password, and a certificate that nobody vouches for is refused here', async () => {
    const { port, tlsPort } = await startMosquitto();
    const wrong = { url: `mqtt://127.0.0.1:${port}`, allow_private: true, ...SIGN_IN, password: 'other' };
    expect(await deliver(mqtt, wrong, messageOf())).toMatchObject({ ok: false, reason: 'auth' });
    const unknown = { url: `mqtts://localhost:${tlsPort}`, allow_private: true, ...SIGN_IN };
    expect(await deliver(mqtt, unknown, messageOf())).toMatchObject({
      ok: false,
      reason: 'network',
      error: 'localhost uses a self-signed certificate',
    });
    const missing = { ...unknown, ca: '/no/such/file.pem' };
    expect(await deliver(mqtt, missing, messageOf())).toMatchObject({ ok: false, reason: 'invalid-config' });
  });

  test('keeps the state of each session of the built daemon; its will is spoken when that is killed', async () => {
    const broker = await startMosquitto();
    const { port, watch } = broker;
    const home = homeWith(
      `[channels.home]\ntype = "mqtt"\nurl = "mqtt://127.0.0.1:${port}"\nuser = "${SIGN_IN.user}"\npassword = "${SIGN_IN.password}"\nallow_private = true\n[[routes]]\nto = ["home"]\n`,
    );
    const daemon = await startDaemon(home);
    const heard = await watch();
    await until(() => lastOf(heard, topics.status) === 'online', 'the daemon to be online');
    const claude = (event: object) =>
      hook(home, JSON.stringify({ session_id: 'ses-1', cwd: '/src/payments', ...event }), ['--agent', 'claude']);
    const stateOf = (id: string): unknown => {
      const text = lastOf(heard, topics.state(id)) ?? '';
      return text === '' ? null : (JSON.parse(text) as { state: string }).state;
    };
    await claude({ hook_event_name: 'UserPromptSubmit', prompt: 'Fix it' });
    await until(() => stateOf('ses-1') === 'working', 'it to be at work');
    await claude({
      hook_event_name: 'Notification',
      notification_type: 'permission_prompt',
      message: 'Claude needs your permission to use Bash',
    });
    await until(() => stateOf('ses-1') === 'waiting', 'it to wait');
    await until(() => heard.some(({ topic }) => topic === topics.events), 'the event');
    await claude({ hook_event_name: 'SessionEnd', reason: 'prompt_input_exit' });
    await until(() => stateOf('ses-1') === 'ended', 'its end');

    await broker.stop();
    await broker.start();
    const later = await watch();
    await until(() => lastOf(later, topics.status) === 'online', 'the daemon to be back');
    await until(() => lastOf(later, topics.state('ses-1'))?.includes('"ended"'), 'everything to be shown again');

    await daemon.stop('SIGKILL');
    await until(() => lastOf(later, topics.status) === 'offline', 'its will');
    expect((await belfry(home, ['doctor', '--json'])).stdout).not.toContain(SIGN_IN.password);
  });
});
