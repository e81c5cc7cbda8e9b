// Reads a request's body within bounds of size, time and of what its caller may hold.
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../lib/clock.ts';
import { problemReply } from './problem.ts';
import type { HttpReply } from './route.ts';

/** Bounds of bodies. */
export interface BodyLimits {
  /** Longest time to send a whole body, ms. */
  readonly totalMs: number;
  /** Longest time without a byte, ms. */
  readonly idleMs: number;
}

export const BODY_LIMITS: BodyLimits = { totalMs: 30_000, idleMs: 5_000 };

/** The bytes, or why they are refused; null: the client has gone. */
export type BodyResult = { readonly body: Buffer } | { readonly refused: HttpReply } | null;

/** The room that a body takes. */
export interface BodyRoom {
  /** False: there is none for so many bytes more. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** Reads bodies; whoever is given one gives its room back. */
export interface BodyReader {
  /** `proceed` is called before the first byte is read, once the length that the client names is found to be fine. */
  read(request: IncomingMessage, limit: number, room: BodyRoom, proceed: () => void): Promise<BodyResult>;
}

/** Reads and drops what a refused request still sends, so that its client gets to see the answer; for a second at most. */
export function discardBody(request: IncomingMessage, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    if (request.readableEnded || request.destroyed) return resolve();
    const cancel = clock.setTimer(1_000, resolve);
    for (const end of ['end', 'close', 'error'] as const)
      request.once(end, () => {
        cancel();
        resolve();
      });
    request.resume();
  });
}

export function createBodyReader(clock: Clock, limits: BodyLimits = BODY_LIMITS): BodyReader {
  function read(request: IncomingMessage, limit: number, room: BodyRoom, proceed: () => void): Promise<BodyResult> {
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
      return Promise.resolve({ refused: problemReply(415, 'send the body without a content-encoding') });
    const length = Number(request.headers['content-length'] ?? 0);
    if (length > limit) return Promise.resolve({ refused: tooLarge(limit) });
    proceed();
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let size = 0;
      let held = 0;
      const late = (): void => finish({ refused: problemReply(408, 'the body did not arrive in time') });
      const cancelTotal = clock.setTimer(limits.totalMs, late);
      let cancelIdle = clock.setTimer(limits.idleMs, late);
      const finish = (result: BodyResult): void => {
        cancelTotal();
        cancelIdle();
        request.off('data', take).off('end', whole).off('close', gone).off('error', gone);
        request.on('error', ignoreLate);
        if (result === null || 'refused' in result) room.give(held);
        resolve(result);
      };
      const take = (chunk: Buffer): void => {
        size += chunk.byteLength;
        cancelIdle();
        if (size > limit) finish({ refused: tooLarge(limit) });
        else if (!room.take(chunk.byteLength)) finish({ refused: BUSY });
        else {
          held += chunk.byteLength;
          chunks.push(chunk);
          cancelIdle = clock.setTimer(limits.idleMs, late);
        }
      };
      const whole = (): void => finish({ body: Buffer.concat(chunks, size) });
      const gone = (): void => finish(null);
      request.on('data', take).on('end', whole).on('close', gone).on('error', gone);
    });
  }

  return { read };
}

/** The answer is decided; that the connection breaks afterwards changes nothing. */
const ignoreLate = (): void => undefined;

export const BUSY = problemReply(503, 'too much at once: try again in a second', { 'retry-after': '1' });

function tooLarge(limit: number): HttpReply {
  return problemReply(413, `the body may have ${limit} bytes at most`);
}
