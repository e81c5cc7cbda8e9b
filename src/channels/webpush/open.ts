// Web Push at work: encrypts each message for each browser, and hands it to that browser's push service (RFC 8030, 8291 and 8292).
import webPush from 'web-push';
import { ECDH } from 'node:crypto';
import { sha256 } from '../../lib/hash.ts';
import { type HttpResult, sendRequest } from '../../lib/net/http.ts';
import type { Browser } from '../../model/channel/browsers.ts';
import type { ChannelTools, OpenChannel, OutgoingMessage, SendContext } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { classifyResponse } from '../shared/http-channel.ts';
import { asOutcome, createOperations } from '../shared/operations.ts';
import { blocksAgent } from '../shared/blocks-agent.ts';
import { type BrowserFile, readBrowsers, removeBrowsers } from './browser-file.ts';
import { forBrowser, pushMessage } from './message.ts';
import { receivePresses } from './button-presses.ts';
import { NO_BROWSER, subjectOf, UNREADABLE, UNUSABLE_KEYS, type WebPushSettings } from './settings.ts';

/** A push service keeps it so long for a browser that is closed, seconds: as long as a notification is open at most. */
const TTL = 24 * 3_600;
const URGENCIES = { low: 'low', normal: 'normal', urgent: 'high' } as const;

type Failure = Extract<Outcome, { ok: false }>;

/** Connects to nothing yet. */
export function openWebPush(settings: WebPushSettings, tools: ChannelTools): OpenChannel {
  const running = createOperations();
  const { stateFolder, now } = tools;

  function perform(message: OutgoingMessage, context: SendContext): Promise<Outcome> {
    return running.run(context.signal, async (signal) => {
      const shown = asOutcome(() => pushMessage(message));
      if ('ok' in shown) return shown;
      const file = await readBrowsers(stateFolder).catch(() => 'unreadable' as const);
      if (file === 'unreadable') return failure('invalid-config', UNREADABLE);
      if (file === null || file.browsers.length === 0) return failure('invalid-config', NO_BROWSER);
      const bounds = { timeout: context.timeoutMs, allowPrivate: settings.allow_private, signal, now };
      const to = async (browser: Browser): Promise<End> => {
        if (!hasUsableKeys(browser)) return 'gone';
        const request = requestTo(browser, forBrowser(shown, browser), message, file, settings);
        return request === null ? 'unencrypted' : endOf(await sendRequest({ ...request, ...bounds }));
      };
      const ends = await Promise.all(file.browsers.map(to));
      const gone = file.browsers.filter((_, i) => ends[i] === 'gone').map(({ endpoint }) => endpoint);
      await removeBrowsers(stateFolder, gone).catch((error: unknown) =>
        tools.log('browsers that are gone could not be forgotten', { error: String(error) }),
      );
      return outcomeOf(ends, message);
    });
  }

  return {
    send: perform,
    update: (message, _receipt, context) => perform(message, context),
    receive: (on, outer) => running.run(outer, (signal) => receivePresses({ on, signal })),
    close: running.close,
  };
}

const failure = (reason: Failure['reason'], error: string): Failure => ({ ok: false, reason, error });

/** Null: the library refuses our own keys, since those of the browser are known to be good. */
function requestTo(
  { endpoint, keys }: Browser,
  text: string,
  { notificationId, content, resolution }: OutgoingMessage,
  { publicKey, privateKey }: BrowserFile,
  settings: WebPushSettings,
) {
  // Browsers on phones that sleep are woken for "high" only (RFC 8030, 5.3).
  const wanted = blocksAgent(content) ? 'high' : URGENCIES[content.urgency];
  const urgency = resolution === null ? wanted : 'low';
  try {
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, text, {
      vapidDetails: { subject: subjectOf(settings), publicKey, privateKey },
      contentEncoding: 'aes128gcm',
      TTL,
      urgency,
      // What is not delivered yet is replaced.
      topic: Buffer.from(sha256(notificationId), 'hex').toString('base64url').slice(0, 32),
    });
    const { 'Content-Length': _counted, ...rest } = headers;
    const texts = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name.toLowerCase(), String(value)]));
    return { method: 'POST', url: endpoint, headers: texts, body } as const;
  } catch {
    return null;
  }
}

/** How it ended at one browser: `gone`: it has withdrawn, is no more, or its keys were never any; `unencrypted`: nothing was sent. */
type End = HttpResult | 'gone' | 'unencrypted';

const endOf = (end: HttpResult): End =>
  end.kind === 'answer' && (end.status === 404 || end.status === 410) ? 'gone' : end;

/** A point of the curve and a secret, as RFC 8291 has them. */
function hasUsableKeys({ keys: { p256dh, auth } }: Browser): boolean {
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== 65 || Buffer.from(auth, 'base64url').length !== 16) return false;
  try {
    ECDH.convertKey(point, 'prime256v1');
    return true;
  } catch {
    return false; // not on the curve
  }
}

/** It has reached its person when one browser will show it. What a service answers is not kept: it may repeat the secret address. */
function outcomeOf(ends: readonly End[], { notificationId }: OutgoingMessage): Outcome {
  const outcomes = ends.filter((end) => end !== 'gone').map(meaningOf);
  const failures = outcomes.filter((outcome): outcome is Failure => !outcome.ok);
  const accepted = outcomes.length - failures.length;
  if (accepted > 0) {
    const missed = failures.map(({ error }) => error);
    const answer =
      missed.length === 0 ? {} : { answer: `${accepted} of ${ends.length} browsers; ${missed.join('; ')}` };
    return { ok: true, status: 201, receipt: { tag: notificationId }, ...answer };
  }
  const again = failures.find(({ reason }) => reason !== 'auth' && reason !== 'client' && reason !== 'invalid-config');
  return again ?? failures[0] ?? failure('invalid-config', NO_BROWSER);
}

function meaningOf(end: Exclude<End, 'gone'>): Outcome {
  if (end === 'unencrypted') return failure('invalid-config', UNUSABLE_KEYS);
  const { answer: _, ...outcome } = classifyResponse(end);
  if (outcome.ok || (outcome.status !== 401 && outcome.status !== 403)) return outcome;
  return {
    ...outcome,
    error: `answered ${outcome.status}: the push service refuses Belfry's key; subscribe the browser again`,
  };
}
