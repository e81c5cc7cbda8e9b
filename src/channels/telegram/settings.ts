// The settings of Telegram.
import * as z from 'zod';
import { serviceUrl } from '../shared/service-url.ts';

/** The channel's own settings. */
export const telegramSchema = z.strictObject({
  token: z.string().min(1).meta({ secret: true }).describe("The bot's token, from @BotFather."),
  chat: z
    .union([z.int(), z.string().regex(/^(?:@\w{1,64}|-?\d{1,20})$/, 'must be a number or @NAME')])
    .describe('The chat to send to; `belfry channel add telegram` finds it out.'),
  thread: z
    .union([z.int().positive(), z.literal('session')])
    .optional()
    .describe('A topic of a forum by its number; "session" makes one for each session.'),
  allow: z.array(z.int().positive()).max(100).optional().describe('Numbers of the users who may answer.'),
  api_url: serviceUrl('https://api.telegram.org', 'Address of the Bot API.'),
});
export type TelegramSettings = z.output<typeof telegramSchema> & { readonly allow_private: boolean };
