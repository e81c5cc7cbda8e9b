// The settings of MQTT.
import * as z from 'zod';
import { brokerFault } from './address.ts';

/** Neither wildcards nor what brokers keep for themselves. */
const PREFIX = /^(?![$/])[^+#\p{Cc}]{1,100}(?<!\/)$/u;

/** The channel's own settings. */
export const mqttSchema = z
  .strictObject({
    url: z
      .string()
      .min(1)
      .superRefine((url, found) => {
        const message = brokerFault(url);
        if (message !== null) found.addIssue({ code: 'custom', message });
      })
      .describe('Address of the broker: `mqtts://HOST`, or `mqtt://HOST` in a network of your own.'),
    user: z.string().min(1).optional().describe('Name to sign in with.'),
    password: z.string().min(1).meta({ secret: true }).optional().describe('Its password (a secret).'),
    prefix: z
      .string()
      .regex(PREFIX, 'must be a beginning of topics such as "belfry", without +, # and a / at either end')
      .default('belfry')
      .describe('What all topics begin with.'),
    discovery: z
      .boolean()
      .default(true)
      .describe('Also announce the sessions to Home Assistant, below `homeassistant/`.'),
    ca: z.string().min(1).optional().describe('File with the certificate of your own authority, for `mqtts://`.'),
  })
  .refine(({ user, password }) => password === undefined || user !== undefined, {
    path: ['user'],
    message: 'is missing: a password goes with a user',
  });
export type MqttSettings = z.output<typeof mqttSchema> & { readonly allow_private: boolean };
