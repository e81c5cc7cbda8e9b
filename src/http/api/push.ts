// Browsers that take notifications, and the buttons pressed in them.
import * as z from 'zod';
import { browserSchema } from '../../model/channel/browsers.ts';
import { act, type ApiEndpoint, read } from './endpoint.ts';

const none = z.strictObject({});

const press = () =>
  ({
    summary: 'A button of a notification was pressed in a browser that takes them',
    params: none,
    query: none,
    body: z.strictObject({
      reference: z.string().min(1).max(64),
      proof: z
        .string()
        .min(1)
        .max(64)
        .meta({ description: 'what that browser was sent with the button, and nobody else' }),
    }),
    result: () => z.object({ text: z.string() }),
  }) as const satisfies ApiEndpoint;

export const push = {
  'push.get': () =>
    read({
      summary: 'What a browser needs to take notifications, and whether a channel sends them',
      result: () =>
        z.object({
          public_key: z.string().meta({ description: 'VAPID key (RFC 8292), base64url' }),
          browsers: z.number(),
          channels: z.array(z.string()).meta({ description: 'names of the channels that send to browsers' }),
          command: z.string().meta({ description: 'adds such a channel' }),
        }),
    }),
  'push.subscribe': () =>
    act({
      summary: 'Adds a browser: its subscription as the browser gives it',
      body: browserSchema,
      result: () => z.object({ browsers: z.number() }),
      failures: { 409: 'there are as many browsers as there may be' },
    }),
  'push.unsubscribe': () =>
    act({
      summary: 'Removes a browser',
      body: browserSchema.pick({ endpoint: true }),
      result: () => z.object({ removed: z.boolean() }),
    }),
  'push.press': press,
} as const;
