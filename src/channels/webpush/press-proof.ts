// Proves that a button was pressed in a browser that is sent to: made of the secret that this browser alone shares with us (RFC 8291).
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Browser } from '../../model/channel/browsers.ts';

/** What goes with a button to this browser, and comes back with its press. */
export function pressProof({ keys }: Browser, reference: string): string {
  const key = Buffer.from(keys.auth, 'base64url');
  return createHmac('sha256', key).update(`belfry press\n${reference}`).digest('base64url').slice(0, 22);
}

/** Whether one of these browsers was sent this button. */
export function isPressProof(browsers: readonly Browser[], reference: string, proof: string): boolean {
  const given = Buffer.from(proof);
  return browsers.some((browser) => {
    const own = Buffer.from(pressProof(browser, reference));
    return own.byteLength === given.byteLength && timingSafeEqual(own, given);
  });
}
