// The shared sections with what their shape alone cannot say: addresses, patterns that must compile, loopback only.
import { regexpFault } from '../lib/safe-regexp.ts';
import { apiSchema, daemonSchema, redactionSchema } from '../model/config.ts';

const LOOPBACK = /^(127(?:\.\d{1,3}){3}|localhost|\[::1\]):\d{1,5}$/;

const ADDRESS = 'must begin with https:// or http://';

/** `[api]`. */
export const api = apiSchema.extend({
  base_url: apiSchema.shape.base_url.refine(isHttp, ADDRESS),
  app_url: apiSchema.shape.app_url.refine(isHttp, ADDRESS),
});

/** `[redaction]`. */
export const redaction = redactionSchema.extend({
  patterns: redactionSchema.shape.patterns.superRefine((patterns, found) => {
    patterns.forEach((source, i) => {
      const message = regexpFault(source);
      if (message !== null) found.addIssue({ code: 'custom', path: [i], message });
    });
  }),
});

/** `[daemon]`. */
export const daemon = daemonSchema.extend({
  metrics: daemonSchema.shape.metrics.refine(
    (text) => text === undefined || LOOPBACK.test(text),
    'must be a loopback address and port such as "127.0.0.1:9464"',
  ),
});

function isHttp(text: string | undefined): boolean {
  return text === undefined || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol));
}
