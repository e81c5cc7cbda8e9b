// MQTT: events and the state of every session, at a broker of your own, for Home Assistant and others (MQTT 3.1.1).
import { defineChannel } from '../model/channel/channel.ts';
import { mqttSchema } from './mqtt/settings.ts';
import { lazyChannel } from './shared/lazy-channel.ts';

export const mqtt = defineChannel({
  type: 'mqtt',
  schema: mqttSchema,
  audience: 'records',
  capabilities: { mirror: true, idempotent: true }, // by the id of the event's document
  onResolved: 'keep',
  limits: () => ({ concurrency: 8, minIntervalMs: 0, timeoutMs: 10_000 }),
  open: (settings, tools) =>
    lazyChannel(async () => (await import('./mqtt/open.ts')).openMqtt(settings, tools), ['mirror']),
  check: async (settings, tools) => (await import('./mqtt/check.ts')).checkMqtt(settings, tools),
  defaultSettings: null,
  setup: {
    intro: ['You need the address of an MQTT broker, such as Mosquitto or the one of your Home Assistant.'],
    questions: [
      {
        key: 'url',
        ask: 'Address of the broker',
        help: 'For example mqtts://broker.example.com, or mqtt://192.168.1.5.',
      },
      { key: 'user', ask: 'User name', help: 'Empty: the broker lets everybody in.', optional: true },
      { key: 'password', ask: 'Password', when: ({ user }) => user !== undefined },
      {
        key: 'ca',
        ask: 'File with the certificate of your own authority',
        help: 'Empty: the broker has a public certificate.',
        optional: true,
        when: ({ url }) => /^mqtts:/i.test(String(url)),
      },
    ],
  },
  docs: {
    summary: 'Publishes events and the state of every session to an MQTT broker, for Home Assistant and others',
    example: 'type = "mqtt"\nurl = "mqtts://broker.example.com"\nuser = "belfry"\npassword = "secret:mqtt"',
  },
});
