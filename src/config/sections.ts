// The shared sections with what their shape alone cannot say: addresses, patterns that must compile, loopback only.
import * as z from 'zod';
import { regexpFault } from '../lib/safe-regexp.ts';
import { apiSchema, daemonSchema, redactionSchema } from '../model/config.ts';

const LOOPBACK = /^(127(?:\.\d{1,3}){3}|localhost|\[::1\]):\d{1,5}$/;

const address = z.string().refine(isHttp, 'must be an address that begins with https:// or http://').optional();

/** `[api]`. */
export const api = apiSchema.extend({ base_url: address, app_url: address });

/** `[redaction]`. */
export const redaction = redactionSchema.extend({
  patterns: z
    .array(
      z.string().refine((source) => regexpFault(source) === null, {
        error: ({ input }) => (typeof input === 'string' ? (regexpFault(input) ?? '') : ''),
      }),
    )
    .default([]),
});

/** `[daemon]`. */
export const daemon = daemonSchema.extend({
  metrics: z
    .string()
    .refine((text) => LOOPBACK.test(text), 'must be a loopback address and port such as "127.0.0.1:9464"')
    .optional(),
});

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
