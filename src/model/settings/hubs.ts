// `[hub.NAME]`: a hub that this machine reports to. Not yet a section of config.toml: nothing follows it.
import * as z from 'zod';
import { HUB_ANSWERS } from '../link/hello.ts';
import { LEVELS } from '../notification/notification.ts';
import { matchSchema } from './routes.ts';

/** A name of a hub on this machine. */
export const HUB_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;

/** Its token would be read on the way: http only to this machine. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function isHubUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
  return isSafe && [username, password, search, hash].every((part) => part === '');
}

/** `[hub.NAME]`. */
export const hubSchema = z.strictObject({
  url: z
    .string()
    .refine(isHubUrl, 'must be an address such as "https://belfry.example.com"')
    .describe('Address of the hub.'),
  token: z.string().min(1).meta({ secret: true }).describe('This machine’s token (a secret).'),
  level: z
    .enum(LEVELS)
    .default('full')
    .describe(
      'How much leaves this machine: `full`, `short` or `title`. Only what is shown whole can be allowed from the hub.',
    ),
  forward: z
    .strictObject({ match: matchSchema.optional().describe('As in a route. If you leave it out: everything.') })
    .describe('What leaves this machine. Nothing older than the join does, nor what was excluded when it happened.'),
  answer: z
    .enum(HUB_ANSWERS)
    .default('own')
    .describe('Who may answer through the hub: nobody (`none`), you (`own`), or whom its rules allow (`team`).'),
  reach_me: z
    .enum(['hub', 'laptop'])
    .default('hub')
    .describe('Which of the two notifies you on your phone and in chats, so that one event rings once.'),
});
