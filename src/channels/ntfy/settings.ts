// The settings of ntfy.
import * as z from 'zod';
import { secretRefKind } from '../../lib/secrets/secret-ref.ts';
import { serviceUrl } from '../shared/service-url.ts';

/** The server's own rule; these names are its own pages. */
const TOPIC = /^[-_A-Za-z0-9]{1,64}$/;
const RESERVED = ['docs', 'static', 'file', 'app', 'metrics', 'account', 'settings', 'signup', 'login', 'v1'];
/** What is wrong with one that it does not accept. */
export const BAD_TOPIC = 'must be 1 to 64 letters, digits, - or _, and no page of the server such as "docs"';

/** Whether the server accepts this topic. */
export const isTopic = (topic: string): boolean => TOPIC.test(topic) && !RESERVED.includes(topic);

const priority = z.int().min(1).max(5);

/** The channel's own settings. */
export const ntfySchema = z
  .strictObject({
    server: serviceUrl('https://ntfy.sh', 'Address of the server.'),
    topic: z
      .string()
      .min(1)
      .refine((topic) => secretRefKind(topic) !== 'literal' || isTopic(topic), BAD_TOPIC)
      .meta({ secret: true })
      .describe('The topic. Anybody who knows it can read your messages, so it is a secret.'),
    answer_topic: z
      .string()
      .min(1)
      .refine((topic) => secretRefKind(topic) !== 'literal' || isTopic(topic), BAD_TOPIC)
      .meta({ secret: true })
      .optional()
      .describe('A second topic that the buttons write to. Anybody who can read `topic` can answer.'),
    token: z.string().min(1).meta({ secret: true }).optional().describe('Access token, for a protected topic.'),
    user: z.string().min(1).optional().describe('User name, instead of a token.'),
    password: z.string().min(1).meta({ secret: true }).optional().describe('Password of that user.'),
    priority: z
      .strictObject({
        low: priority.default(2),
        normal: priority.default(3),
        waiting: priority.optional(),
        urgent: priority.default(5),
      })
      .prefault({})
      .describe(
        "ntfy's priority, 1 to 5, for each urgency, and for an agent that waits for you (4 by default, `normal` if that is higher). Below 4, iPhones show messages silently.",
      ),
  })
  .superRefine(({ token, user, password, topic, answer_topic: answers }, found) => {
    if (answers === topic)
      found.addIssue({ code: 'custom', path: ['answer_topic'], message: 'must be another topic than `topic`' });
    if (token !== undefined && user !== undefined)
      found.addIssue({ code: 'custom', path: ['token'], message: 'give either a token, or a user and a password' });
    if ((user === undefined) !== (password === undefined))
      found.addIssue({ code: 'custom', path: [user === undefined ? 'user' : 'password'], message: 'is missing' });
  });
export type NtfySettings = z.output<typeof ntfySchema> & { readonly allow_private: boolean };
