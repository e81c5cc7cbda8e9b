// Webhook: POSTs the event as JSON, signed as Standard Webhooks has it (github.com/standard-webhooks/standard-webhooks).
import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { checkUrl } from '../lib/net/check-url.ts';
import { ALWAYS_RUN, urlRefinement } from '../lib/net/outbound-url-schema.ts';
import { VERSION } from '../lib/version.ts';
import { defineChannel, type CheckResult } from '../model/channel/channel.ts';
import { eventDocument } from './shared/event-document.ts';
import { httpChannel } from './shared/http-channel.ts';

const BAD_SECRET = 'the secret begins with whsec_ but the rest is not base64: copy it again';

const schema = z
  .strictObject({
    url: z.string().min(1).describe('Where to POST to.'),
    // A reference does not begin with whsec_: it is judged once it is resolved.
    secret: z
      .string()
      .min(1)
      .refine((secret) => typeof keyOf(secret) !== 'string', BAD_SECRET)
      .meta({ secret: true })
      .optional()
      .describe('Signing secret: "whsec_" and base64, or any text.'),
    updates: z
      .boolean()
      .default(false)
      .describe('Also send `notification.updated` and `notification.resolved` when a notification changes.'),
  })
  .superRefine(urlRefinement(false), ALWAYS_RUN);

export const webhook = defineChannel({
  type: 'webhook',
  schema,
  audience: 'records',
  capabilities: { update: 'updates', retract: 'updates', idempotent: true }, // by webhook-id
  onResolved: 'update',
  limits: () => ({ concurrency: 8, minIntervalMs: 0, timeoutMs: 10_000 }),
  open: (settings, tools) =>
    httpChannel({
      settings,
      tools,
      operations: settings.updates ? ['update', 'retract'] : [],
      request: (message) => {
        const key = keyOf(settings.secret);
        if (typeof key === 'string') return { ok: false, reason: 'invalid-config', error: key };
        const body = JSON.stringify(eventDocument(message));
        const headers = headersOf(message.id, body, key, tools.now());
        return { method: 'POST', url: settings.url, headers, body };
      },
    }),
  check: async (settings, { signal }) => {
    const findings: CheckResult[] = await checkUrl(
      settings.url,
      settings.allow_private,
      signal,
      '`url` in config.toml',
    );
    const key = keyOf(settings.secret);
    if (typeof key === 'string') findings.push({ level: 'fail', text: key, fix: 'set `secret` to the complete value' });
    if (key === null)
      findings.push({
        level: 'warn',
        text: 'notifications are not signed',
        fix: 'set secret = "secret:NAME" (`belfry secret set NAME` stores one), so that the receiver can verify the sender',
      });
    return findings;
  },
  defaultSettings: null,
  setup: {
    intro: ['Each notification is sent as a POST request with a JSON body.'],
    questions: [
      { key: 'url', ask: 'URL to POST to' },
      {
        key: 'secret',
        ask: 'Signing secret',
        help: 'The receiver verifies the sender with it; without one, requests are not signed.',
        optional: true,
      },
    ],
  },
  docs: {
    summary: 'POSTs JSON, signed as Standard Webhooks',
    example: 'type = "webhook"\nurl = "https://example.com/hooks/agents"\nsecret = "env:AUDIT_SECRET"',
  },
});

/** Standard Webhooks' headers; `now` is the attempt's own time. */
function headersOf(id: string, body: string, key: Buffer | null, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  return {
    'content-type': 'application/json',
    'user-agent': `belfry/${VERSION}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(key === null ? {} : { 'webhook-signature': sign(key, `${id}.${timestamp}.${body}`) }),
  };
}

function sign(key: Buffer, content: string): string {
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/** The key's bytes; null: unsigned; a sentence: what is wrong with the secret. */
function keyOf(secret: string | undefined): Buffer | string | null {
  if (secret === undefined) return null;
  if (!secret.startsWith('whsec_')) return Buffer.from(secret, 'utf8');
  const encoded = secret.slice('whsec_'.length);
  const valid = /^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded);
  return valid ? Buffer.from(encoded, 'base64') : BAD_SECRET;
}
