// What the gate says of a send, and what it may have to know for that.
import type { Presence } from '../presence/presence.ts';
import type { Delivery } from './delivery.ts';

/** A send of a notification, as far as others of it depend on it. */
export type SendRow = Pick<
  Delivery,
  'channel' | 'step' | 'state' | 'due' | 'only' | 'heldBy' | 'attempts' | 'updatedAt' | 'lastError' | 'content'
>;

/** What only some sends depend on, and is therefore looked up only for them. */
export interface AskedFacts {
  /** A digest with the same notification is to come on its channel. */
  readonly digested: boolean;
  /** "Do not disturb" is on at this machine. */
  readonly doNotDisturb: boolean;
  /** All sends of its notification. */
  readonly sends: readonly SendRow[];
  /** Of the person at the machine of its session; null: not asked, as of a time that is not now. */
  readonly presence: Presence | null;
}

/**
 * go: now. hold: with others under this name, which one message takes the place of at the end (`until`, Unix ms; null: when somebody
 * says so). wait: it is asked again then; `leaves`: its person has to leave first, and what follows it waits as well. seen: its person
 * saw what it is about. `note`: why, for people.
 */
export type GateVerdict =
  | { readonly verdict: 'go'; readonly note: string | null }
  | { readonly verdict: 'hold'; readonly by: string; readonly until: number | null; readonly note: string }
  | { readonly verdict: 'wait'; readonly until: number; readonly note: string; readonly leaves?: true }
  | { readonly verdict: 'seen'; readonly note: string };
