// ntfy: push messages to phones and browsers by a topic, at ntfy.sh or a server of your own (docs.ntfy.sh, "Publishing").
import { randomInt } from 'node:crypto';
import { defineChannel } from '../model/channel/channel.ts';
import { BAD_TOPIC, isTopic, ntfySchema } from './ntfy/settings.ts';
import { lazyChannel } from './shared/lazy-channel.ts';

export const ntfy = defineChannel({
  type: 'ntfy',
  schema: ntfySchema,
  audience: 'people',
  // Not idempotent: before 2.16, and on iPhones, a repeat is a second message.
  capabilities: { update: true, retract: true, receive: 'answer_topic', buttons: 'answer_topic', priority: true },
  answeredWhere: 'through ntfy',
  onResolved: 'remove',
  // 60 requests at once, then one in 5 s: the limiter of the server decides.
  limits: () => ({ concurrency: 1, minIntervalMs: 1_000, timeoutMs: 10_000 }),
  // Without an account the server counts by the sender's address.
  account: ({ server, token, user }) => ({
    identity: [server, token ?? '', user ?? ''],
    minIntervalMs: 1_000,
  }),
  open: (settings, tools) =>
    lazyChannel(
      async () => {
        const { openNtfy } = await import('./ntfy/open.ts');
        return openNtfy(settings, tools, isTopic(settings.topic) ? null : `topic: ${BAD_TOPIC}`);
      },
      // With a topic that is none it publishes no buttons, and listens to nobody.
      settings.answer_topic === undefined || !isTopic(settings.topic)
        ? ['update', 'retract']
        : ['update', 'retract', 'receive'],
    ),
  check: async (settings, tools) => {
    if (!isTopic(settings.topic))
      return [{ level: 'fail', text: `its topic ${BAD_TOPIC}`, fix: 'store another topic' }];
    return (await import('./ntfy/check.ts')).checkNtfy(settings, tools);
  },
  defaultSettings: null,
  setup: {
    intro: ['Install the ntfy app on your phone (https://ntfy.sh), or open the web app of your server.'],
    questions: [
      { key: 'server', ask: 'Server', suggest: () => 'https://ntfy.sh' },
      {
        key: 'topic',
        ask: 'Topic',
        help: 'Anybody who knows it can read your messages: keep the random one, or use a protected topic.',
        suggest: randomTopic,
      },
      {
        key: 'token',
        ask: 'Access token',
        help: 'Only for a protected topic: Account, "Access tokens".',
        optional: true,
      },
      { key: 'user', ask: 'User name', optional: true, when: ({ token }) => token === undefined },
      { key: 'password', ask: 'Password', when: ({ user }) => user !== undefined },
    ],
    phoneLink: ({ topic, server = 'https://ntfy.sh' }) => `${String(server).replace(/\/$/, '')}/${String(topic)}`,
    beforeTest: ({ topic, server = 'https://ntfy.sh' }) => [
      `In the ntfy app, subscribe to the topic ${String(topic)} on ${String(server)}.`,
      'Phones may show the test silently, as they do a finish. An agent that waits for you has a higher priority and makes a sound.',
    ],
  },
  docs: {
    summary: 'Push messages to phones and browsers by ntfy, at ntfy.sh or your own server',
    quota: '250 a day at ntfy.sh without an account',
    example: 'type = "ntfy"\ntopic = "env:NTFY_TOPIC"',
  },
});

/** Long enough that nobody guesses it, and easy to type on a phone. */
function randomTopic(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  return `belfry-${Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('')}`;
}
