// The settings of email.
import * as z from 'zod';
import type { MailServer } from './send.ts';

const PORTS = { starttls: 587, tls: 465, none: 25 } as const;

/** `name@host`, or a name before it in angle brackets; one address only. */
const ADDRESS = /^(?:[^<>,;\r\n]{0,100}<[^\s@<>,;]{1,64}@[^\s@<>,;]{1,255}>|[^\s@<>,;]{1,64}@[^\s@<>,;]{1,255})$/;
const address = z.string().regex(ADDRESS, 'must be an address: name@example.com, or Name <name@example.com>');

/** The channel's own settings. */
export const emailSchema = z
  .strictObject({
    host: z
      .string()
      .regex(/^[A-Za-z0-9._:-]{1,255}$/, 'must be the name of a server, without https:// or a port')
      .describe('The mail server to hand mail to.'),
    port: z.int().min(1).max(65_535).optional().describe('Its port; by default 587, 465 or 25, depending on `tls`.'),
    tls: z
      .enum(['starttls', 'tls', 'none'])
      .default('starttls')
      .describe(
        'Encryption. `starttls` and `tls` are required, not merely tried; use `none` only for a server of your own.',
      ),
    user: z.string().min(1).optional().describe('Name to sign in with.'),
    password: z.string().min(1).meta({ secret: true }).optional().describe('Its password (a secret).'),
    from: address.describe('The sender.'),
    to: z.union([address, z.array(address).min(1).max(50)]).describe('One address, or a list.'),
  })
  .refine(({ user, password }) => (user === undefined) === (password === undefined), {
    path: ['password'],
    message: '`user` and `password` go together',
  });
export type EmailSettings = z.output<typeof emailSchema> & { readonly allow_private: boolean };

/** The server that they name. */
export function serverOf(settings: EmailSettings): MailServer {
  return { ...settings, port: settings.port ?? PORTS[settings.tls] };
}
