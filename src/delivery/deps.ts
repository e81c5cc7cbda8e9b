// What delivery and its workers are given by the daemon.
import type { Clock } from '../lib/clock.ts';
import type { ChannelTools, InboundAnswer, MessageButton } from '../model/channel/channel.ts';
import type { Attempt, Delivery } from '../model/delivery/delivery.ts';
import type { Event } from '../model/event/event.ts';
import type { GateVerdict } from '../model/delivery/gate.ts';
import type { SessionFeed } from '../model/session/session-feed.ts';
import type { ShownQuestion } from '../model/question/shown-question.ts';
import type { Timer } from '../model/event/verdict.ts';
import type { ClaimedDelivery, Store, Undecided } from '../store/contract.ts';

/** What is asked about a send when it is due. */
export interface DueJudge {
  readonly ask: (delivery: ClaimedDelivery) => Promise<GateVerdict>;
  /** The timer at which what is held under this name goes out. `until`: Unix ms. */
  readonly timerOf: (hold: string, until: number) => Timer;
  /** One was held under this name: the timer is to be watched, and the hold may have ended meanwhile. */
  readonly held: (hold: string) => Promise<void>;
  /** Its person saw what it is about: the notification is over. `why`: for people. */
  readonly seen: (delivery: Delivery, why: string) => Promise<void>;
}

/** Dependencies of the delivery service. */
export interface DeliveryDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly env: ChannelTools['env'];
  readonly platform: NodeJS.Platform;
  readonly log: ChannelTools['log'];
  readonly stateFolder: string;
  readonly clients?: NonNullable<ChannelTools['clients']>;
  /** 0 to 1, for the jitter. */
  readonly random: () => number;
  /** Takes an event of Belfry's own; an event of the same id changes nothing. Resolves once it is in the journal. */
  readonly raise: (event: Event) => Promise<void>;
  /** What came before anything may be claimed; without it nothing is waited for. */
  readonly undecided?: () => Undecided;
  /** Without it nothing depends on people, quiet hours or mutes any more once it is due. */
  readonly judge?: DueJudge;
  /** What people answer through channels; without it nobody listens. */
  readonly inbound?: {
    /** The reference of a button that acknowledges a notification. */
    readonly acknowledgeWith: (channel: string, notificationId: string) => string;
    /** Buttons about the sessions that it says have stopped; null: it says so of none, and nothing is waited for. */
    readonly goOnWith: (channel: string, delivery: Delivery) => Promise<readonly MessageButton[]> | null;
    /** The reference of a button that takes the person to the session; null: it is on no screen of this machine. */
    readonly showWith: (channel: string, delivery: Delivery) => string | null;
    /** What a message says of the question behind its notification; `buttons`: whether the channel can carry them. */
    readonly showQuestion: (channel: string, delivery: Delivery, buttons: boolean) => Promise<ShownQuestion>;
    /** Resolves with the line to show whoever answered. */
    readonly take: (channel: string, answer: InboundAnswer) => Promise<string>;
  };
  /** The sessions, for channels that show their state; without it none does. */
  readonly sessions?: SessionFeed;
  /** After each attempt: for metrics and followers. `delivery` as it stands now. */
  readonly settled?: (delivery: Delivery, attempt: Attempt) => void;
}
