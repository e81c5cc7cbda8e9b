// What delivery and its workers are given by the daemon.
import type { Clock } from '../lib/clock.ts';
import type { ChannelTools, InboundAnswer } from '../model/channel.ts';
import type { Attempt, Delivery } from '../model/delivery.ts';
import type { Event } from '../model/event.ts';
import type { ShownQuestion } from '../model/shown-question.ts';
import type { Store } from '../store/contract.ts';

/** Dependencies of the delivery service. */
export interface DeliveryDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly env: ChannelTools['env'];
  readonly platform: NodeJS.Platform;
  readonly log: ChannelTools['log'];
  /** 0 to 1, for the jitter. */
  readonly random: () => number;
  /** Takes an event of Belfry's own; an event of the same id changes nothing. Resolves once it is in the journal. */
  readonly raise: (event: Event) => Promise<void>;
  /** What people answer through channels; without it nobody listens. */
  readonly inbound?: {
    /** The reference of a button that acknowledges a notification. */
    readonly acknowledgeWith: (channel: string, notificationId: string) => string;
    /** What a message says of the question behind its notification; `buttons`: whether the channel can carry them. */
    readonly showQuestion: (channel: string, delivery: Delivery, buttons: boolean) => Promise<ShownQuestion>;
    /** Resolves with the line to show whoever answered. */
    readonly take: (channel: string, answer: InboundAnswer) => Promise<string>;
  };
  /** After each attempt: for metrics and followers. `delivery` as it stands now. */
  readonly settled?: (delivery: Delivery, attempt: Attempt) => void;
}
