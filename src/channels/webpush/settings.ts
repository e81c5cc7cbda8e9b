// The settings of Web Push.
import * as z from 'zod';

/** The channel's own settings. */
export const webPushSchema = z.strictObject({
  subject: z
    .string()
    .max(200)
    .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'must be mailto:NAME@HOST or an https:// address')
    .refine((subject) => URL.canParse(subject), 'must be an address')
    .optional()
    .describe('How push services can reach you: `mailto:` and your address, or an `https://` address.'),
});
export type WebPushSettings = z.output<typeof webPushSchema> & { readonly allow_private: boolean };

/** Services want one; nobody else sees it. */
export const subjectOf = ({ subject = 'mailto:belfry@example.com' }: WebPushSettings): string => subject;

const SUBSCRIBE = 'run `belfry dashboard`, open Channels and press "Notify in this browser"';

/** Nothing can be sent, and what to do. */
export const NO_BROWSER = `no browser is subscribed: ${SUBSCRIBE}`;
export const UNREADABLE = `browsers.json in the state folder cannot be read: remove it, then ${SUBSCRIBE}`;
export const UNUSABLE_KEYS = `the key pair in browsers.json of the state folder cannot be used: remove that file, then ${SUBSCRIBE} in each browser`;
