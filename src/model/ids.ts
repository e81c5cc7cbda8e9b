// Ids that follow from what they name, so that a decision made again makes the same rows; and the keys that order deliveries.
import { createHash } from 'node:crypto';
import type { Operation } from './delivery/delivery.ts';

const short = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 24);

/** Of the notification that an event opens. */
export function notificationIdOf(eventId: string): string {
  return `ntf_${short(eventId)}`;
}

/** What a delivery is besides its notification's first event and its channel. */
export interface DeliveryStep {
  readonly notificationId: string;
  readonly operation: Operation;
  readonly revision: number;
  readonly step: number;
}

/** A notification's first send is named by its event and channel alone, unless it covers several events: then each may have its own. */
export function deliveryIdOf(eventId: string, channel: string, of?: DeliveryStep): string {
  const first = of === undefined || (of.operation === 'send' && of.revision === 1 && of.step === 0);
  if (of === undefined || (first && of.notificationId === notificationIdOf(eventId)))
    return `dlv_${short(`${eventId}\n${channel}`)}`;
  return `dlv_${short([of.notificationId, channel, of.operation, of.revision, of.step].join('\n'))}`;
}

/** What names a session: clients on two machines or of two users may have the same id. */
export interface SessionKey {
  readonly host: string;
  readonly user: string;
  readonly agent: string;
  readonly sessionId: string;
}

/** One text of a session's key. */
export function sessionKeyText({ host, user, agent, sessionId }: SessionKey): string {
  return [host, user, agent, sessionId].map((part) => encodeURIComponent(wellFormed(part))).join('/');
}

/** The key that such a text is of. */
export function sessionKeyOf(keyText: string): SessionKey {
  const [host = '', user = '', agent = '', sessionId = ''] = keyText.split('/').map(decodeURIComponent);
  return { host, user, agent, sessionId };
}

/** The same text as one segment of a path. */
export function pathKeyOf(keyText: string): string {
  return keyText.replaceAll('/', ':'); // its parts are encoded, so none has a colon
}

/** The key whose text is this segment of a path. */
export const keyOfPath = (pathKey: string): SessionKey => sessionKeyOf(pathKey.replaceAll(':', '/'));

/** Halves of surrogate pairs cannot be encoded. */
const wellFormed = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, '\ufffd');

/** Orders a session's deliveries; events without a session have each their own line. */
export function threadKeyOf(
  event: Omit<SessionKey, 'sessionId'> & { readonly id: string; readonly sessionId: string | null },
): string {
  const { sessionId } = event;
  return sessionId === null ? `event:${event.id}` : sessionKeyText({ ...event, sessionId });
}

/** Orders a group's deliveries. `parts`: JSON of what makes it this group, and of the route that says so. */
export function groupThreadKey(parts: readonly unknown[]): string {
  return `group:${short(JSON.stringify(parts))}`;
}
