// Webhook: POSTs the event as JSON, signed as Standard Webhooks has it (github.com/standard-webhooks/standard-webhooks).
import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { sendRequest } from '../lib/http.ts';
import { checkUrl } from '../lib/check-url.ts';
import { ALWAYS_RUN, urlRefinement } from '../lib/outbound-url-schema.ts';
import { VERSION } from '../lib/version.ts';
import { defineChannel, type CheckResult, type OutgoingMessage } from '../model/channel.ts';
import { classifyResponse } from '../model/outcome.ts';

const BAD_SECRET = 'the secret begins with whsec_ but the rest is not base64: copy it again';

const schema = z
  .strictObject({
    url: z.string().min(1).describe('Where to POST to.'),
    // A reference does not begin with whsec_: it is judged once it is resolved.
    secret: z
      .string()
      .min(1)
      .refine((secret) => typeof keyOf(secret) !== 'string', BAD_SECRET)
      .optional()
      .describe('Signing secret: "whsec_" and base64, or any text.'),
    allow_private: z.boolean().default(false).describe('Allow private, loopback and link-local addresses.'),
  })
  .superRefine(urlRefinement(false), ALWAYS_RUN);
type Settings = z.output<typeof schema>;

interface Rendered {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const ANSWER_WITHIN = 10_000;
// A little longer than the request's own limit, whose error says more.
const limits = { concurrency: 8, minIntervalMs: 0, timeout: ANSWER_WITHIN + 1_000 };

export const webhook = defineChannel<Settings, Rendered>({
  type: 'webhook',
  schema,
  secrets: ['secret'],
  limits,
  idempotent: true, // by webhook-id
  render: (message, settings, { now }) => {
    const body = JSON.stringify(bodyOf(message));
    const timestamp = String(Math.floor(now / 1000));
    const key = keyOf(settings.secret);
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': `belfry/${VERSION}`,
        'webhook-id': message.id,
        'webhook-timestamp': timestamp,
        ...(key instanceof Buffer ? { 'webhook-signature': sign(key, `${message.id}.${timestamp}.${body}`) } : {}),
      },
    };
  },
  send: async ({ headers, body }, _parcel, settings, { signal, now }) => {
    const key = keyOf(settings.secret);
    if (typeof key === 'string') return { ok: false, reason: 'invalid-config', error: key };
    const { url, allow_private: allowPrivate } = settings;
    const end = await sendRequest({
      method: 'POST',
      url,
      headers,
      body,
      timeout: ANSWER_WITHIN,
      allowPrivate,
      signal,
      now,
    });
    return classifyResponse(end);
  },
  check: async (settings, { signal }) => {
    const findings: CheckResult[] = await checkUrl(settings.url, settings.allow_private, signal);
    const key = keyOf(settings.secret);
    if (typeof key === 'string') findings.push({ level: 'fail', text: key, fix: 'set `secret` to the complete value' });
    if (key === null)
      findings.push({
        level: 'warn',
        text: 'notifications are not signed',
        fix: 'set secret = "env:NAME" so that the receiver can verify the sender',
      });
    return findings;
  },
  defaultSettings: null,
  docs: {
    summary: 'POSTs JSON, signed as Standard Webhooks',
    example: 'type = "webhook"\nurl = "https://example.com/hooks/agents"\nsecret = "env:AUDIT_SECRET"',
  },
});

/** The documented body: docs/interface.md, "Webhook body". Fields are added, never renamed. */
function bodyOf({ content: notification }: OutgoingMessage): Record<string, unknown> {
  const { event, context, title, body, count } = notification;
  return {
    type: event.kind,
    timestamp: iso(event.at),
    data: {
      event: {
        id: event.id,
        kind: event.kind,
        agent: event.agent,
        hook_event: event.hookEvent,
        session_id: event.sessionId,
        cwd: event.cwd,
        project: event.project,
        branch: event.branch,
        message: event.message,
        reason: event.reason,
        abnormal: event.abnormal,
        detail: event.detail,
        urgency: event.urgency,
        at: iso(event.at),
      },
      notification: { title, body, count },
      context: {
        messages: context.messages.map((m) => ({ role: m.role, text: m.text, at: m.at === null ? null : iso(m.at) })),
      },
    },
  };
}

/** Times a Date cannot hold (a client's clock that is far off) become the epoch's start rather than an exception. */
function iso(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
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
