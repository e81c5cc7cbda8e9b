// A push service for the tests, as RFC 8030, 8188, 8291 and 8292 want it: a wrong request is refused as those say; what arrives is decrypted with the browser's own keys.
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import type { Browser } from '../../src/model/channel/browsers.ts';
import { type Answer, type Received, type Receiver, startReceiver } from './receiver.ts';

/** What a browser was given. */
export interface Pushed {
  readonly browser: string;
  readonly ttl: number;
  readonly urgency: string;
  readonly topic: string;
  /** Of the key's proof. */
  readonly subject: string;
  readonly key: string;
  readonly message: Record<string, unknown>;
}

export interface PushService {
  readonly url: string;
  readonly receiver: Receiver;
  readonly pushed: Pushed[];
  /** A browser that is subscribed; reached at another address where `at` says so. */
  subscribe(name: string, at?: string): Browser;
  /** It answers so from now on; null: as it should. */
  answers: Answer | null;
  /** These have withdrawn. */
  readonly gone: Set<string>;
}

const LARGEST = 4_096;
const text64 = /^[\w-]+$/;
const json64 = (part: string | undefined): Record<string, unknown> =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Record<string, unknown>;

/** Nobody is subscribed yet. */
export async function startPushService(): Promise<PushService> {
  const receiver = await startReceiver();
  const browsers = new Map<string, { readonly ecdh: ReturnType<typeof createECDH>; readonly auth: Buffer }>();
  const service: PushService = {
    url: receiver.url,
    receiver,
    pushed: [],
    answers: null,
    gone: new Set(),
    subscribe: (name, at = receiver.url) => {
      const ecdh = createECDH('prime256v1');
      const p256dh = ecdh.generateKeys().toString('base64url');
      const auth = randomBytes(16);
      browsers.set(name, { ecdh, auth });
      return { endpoint: `${at}/push/${name}`, keys: { p256dh, auth: auth.toString('base64url') } };
    },
  };
  receiver.answer = (request) => {
    if (service.answers !== null) return service.answers;
    const name = request.path.replace('/push/', '');
    const browser = browsers.get(name);
    if (browser === undefined || service.gone.has(name)) return 410;
    const fault = faultOf(request, receiver.url);
    if (fault !== null) return fault;
    const raw = request.raw;
    if (raw.length > LARGEST) return 413;
    const proof = proofOf(request);
    const header = (key: string): string => String(request.headers[key]);
    service.pushed.push({
      browser: name,
      ttl: Number(header('ttl')),
      urgency: header('urgency'),
      topic: header('topic'),
      subject: String(json64(proof.token.split('.')[1])['sub']),
      key: proof.key,
      message: JSON.parse(decrypted(raw, browser.ecdh, browser.auth)) as Record<string, unknown>,
    });
    return 201;
  };
  return service;
}

/** What the service would not take; null: nothing. */
function faultOf({ method, headers, ...request }: Received, origin: string): Answer | null {
  const bad = (body: string): Answer => ({ status: 400, body });
  if (method !== 'POST') return 405;
  if (!/^\d{1,8}$/.test(String(headers['ttl']))) return bad('TTL');
  if (!['very-low', 'low', 'normal', 'high'].includes(String(headers['urgency']))) return bad('Urgency');
  const topic = String(headers['topic']);
  if (!text64.test(topic) || topic.length > 32) return bad('Topic');
  if (headers['content-encoding'] !== 'aes128gcm') return bad('Content-Encoding');
  const { token, key } = proofOf({ headers });
  const [head, claims, signature] = token.split('.');
  if (!head || !claims || !signature || json64(head)['alg'] !== 'ES256') return { status: 401, body: 'no JWT' };
  const point = Buffer.from(key, 'base64url');
  const coordinate = (from: number): string => point.subarray(from, from + 32).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const { aud, exp, sub } = json64(claims) as { aud?: unknown; exp?: unknown; sub?: unknown };
  const isInTime = typeof exp === 'number' && exp > Date.now() / 1_000 && exp < Date.now() / 1_000 + 86_400;
  const isFor = aud === new URL(origin).origin || aud === `http://${String(headers.host)}`;
  if (!isSigned || !isInTime || !isFor || !/^(mailto:|https:)/.test(String(sub))) return { status: 403, body: 'JWT' };
  return request.raw.length === 0 ? bad('empty') : null;
}

function proofOf({ headers }: Pick<Received, 'headers'>): { readonly token: string; readonly key: string } {
  const [, token = '', key = ''] = /^vapid t=([^,\s]+), ?k=([\w-]+)$/.exec(String(headers.authorization)) ?? [];
  return { token, key };
}

/** One record of aes128gcm (RFC 8188), with the secret of RFC 8291. */
function decrypted(body: Buffer, ecdh: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const length = body.readUInt8(20);
  const sender = body.subarray(21, 21 + length);
  const sealed = body.subarray(21 + length);
  const derive = (secret: Buffer, from: Buffer, info: Buffer, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, from, info, bytes));
  const both = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const secret = derive(ecdh.computeSecret(sender), auth, both, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = plain.lastIndexOf(2);
  return plain.subarray(0, end).toString();
}
