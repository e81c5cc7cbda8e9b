// Browsers that take notifications: what the page hands over, for the channel that sends to them.
import * as z from 'zod';

/** So many bytes in base64url, without padding. */
const bytes = (count: number) =>
  z
    .string()
    .max(200)
    .regex(/^[\w-]+=*$/)
    .refine((text) => Buffer.from(text, 'base64url').length === count);

/** What a browser gives to whoever is to reach it (W3C Push API, `PushSubscription.toJSON`). */
export const browserSchema = z.object({
  /** Of the browser's own push service. Whoever knows it can write there, so it is a secret. */
  endpoint: z
    .string()
    .max(2_000)
    .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)),
  keys: z.object({
    /** A point of P-256, uncompressed. */
    p256dh: bytes(65).refine((text) => Buffer.from(text, 'base64url')[0] === 4),
    auth: bytes(16),
  }),
});
export type Browser = z.output<typeof browserSchema>;

/** The browsers of this machine's user, kept in a folder of the daemon's. */
export interface Browsers {
  /** What a browser has to be given to accept messages from here: base64url; made once. */
  readonly publicKey: (folder: string) => Promise<string>;
  readonly count: (folder: string) => Promise<number>;
  /** `owner`: of the page that it was made on (its token's hash): it ends with that. False: there are as many as there may be. */
  readonly add: (folder: string, browser: Browser, owner: string) => Promise<boolean>;
  /** False: there was none of this endpoint. */
  readonly remove: (folder: string, endpoint: string) => Promise<boolean>;
  /** A button of a notification was pressed; resolves with the line to show. Null: in none of these browsers. */
  readonly pressed: (
    folder: string,
    press: { readonly reference: string; readonly proof: string },
  ) => Promise<string | null>;
}
