// The contract of a channel: one file under src/channels knows one service's rules.
import type * as z from 'zod';
import type { ChannelSetup } from './setup.ts';
import { type CommonSettings, commonSettings } from './settings.ts';
import type { Browsers } from './browsers.ts';
import type { ClientTerminals, OffersToClients } from './client-terminals.ts';
import type { Operation, Outcome } from '../delivery/delivery.ts';
import type { Level, NotificationContent } from '../notification/notification.ts';
import type { SessionFeed } from '../session/session-feed.ts';
import type { OnResolved } from './on-resolved.ts';
import type { MessageQuestion } from '../question/shown-question.ts';

/** What an instance of a channel is given when it is opened; handed in by the daemon. */
export interface ChannelTools {
  /** Unix ms. */
  readonly now: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** Where it may keep files of its own; made by whoever writes there. */
  readonly stateFolder: string;
  /** Absent: no daemon runs. */
  readonly clients?: Pick<ClientTerminals, 'offer'>;
}

/** What one operation, or one check, is given besides. */
export interface SendContext {
  /** Fires when the time is up or delivery ends; the operation then ends at once. */
  readonly signal: AbortSignal;
  /** Ms that it may take, from the channel's limits. */
  readonly timeoutMs: number;
}

/** Why a notification is not open any more. */
export interface Resolution {
  /** In words for people. */
  readonly why: string;
  /** Unix ms. */
  readonly at: number;
}

/** The same, as a channel is given it. */
export interface MessageResolution extends Resolution {
  /** acknowledged: somebody has seen it, and it may still go on. */
  readonly state: 'acknowledged' | 'resolved';
}

/** One operation on one notification, as a channel is given it. */
export interface OutgoingMessage {
  /** Of the delivery: the same on every attempt, the receiver's means to drop a repeat. */
  readonly id: string;
  readonly notificationId: string;
  /** From 1 on; grows with each change of the notification. */
  readonly revision: number;
  readonly operation: Operation;
  /** Redacted, at the channel's level. */
  readonly content: NotificationContent;
  /** 1 for the first try. */
  readonly attempt: number;
  /** The session, or the group, that it belongs to. */
  readonly threadKey: string;
  /** Null while it is open. */
  readonly resolution: MessageResolution | null;
  /** 0 for the first notice; escalations and reminders count on. */
  readonly step: number;
  /** What the channel returned for the last send of the same thread, of whatever notification; null: none. */
  readonly threadReceipt: unknown;
  /** The reference of a button to acknowledge it by; null: nobody listens to this channel. At most 64 bytes. */
  readonly acknowledgeWith: string | null;
  /** Buttons about sessions that have stopped, in their order; empty: nobody listens, or nothing has stopped. */
  readonly goOn: readonly MessageButton[];
  /** The reference of a button that takes the person to the session, where that is on this machine; null: nobody listens, or there is nothing to show. */
  readonly showWith: string | null;
  /** What can be answered from this message; null: nothing, or nothing any more. */
  readonly question: MessageQuestion | null;
}

/** A button of a message. */
export interface MessageButton {
  readonly label: string;
  /** What pressing it hands back: at most 64 bytes of ASCII. */
  readonly reference: string;
}

/** What a person answered through a channel. */
export interface InboundAnswer {
  /** What the channel's button or link carried: the question and its proof; null: they replied to a message. */
  readonly reference: string | null;
  /** Fields of the receipt of the message that they replied to; null: none. */
  readonly replyTo: Readonly<Record<string, unknown>> | null;
  readonly text: string | null;
  /** Who it was, in the service's own words; authenticated by the service. */
  readonly by: { readonly id: string; readonly name: string };
  /** Unix ms. */
  readonly at: number;
  /** Other channels are asked as well: a proof that is not of this one counts as no forgery yet. */
  readonly mayBeForAnother?: boolean;
  /** Its message goes away with it: where the question stays open, the message is shown again. */
  readonly removesMessage?: boolean;
}

/** The line for a reference that was not made here, or not for this channel: who serves several channels asks the next. */
export const NOT_MADE_HERE = 'This button was not made by this Belfry.';

/** What listening to a service is given. */
export interface ReceiveOptions extends Pick<ChannelTools, 'now' | 'log'> {
  /** Resolves with the line to show to who answered. */
  readonly on: (answer: InboundAnswer) => Promise<string>;
  /** Fires when it is to end. */
  readonly signal: AbortSignal;
}

/** What `doctor` says of a channel. */
export interface CheckResult {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** What to do, when not ok. */
  readonly fix?: string;
}

/** How much may be sent. */
export interface ChannelLimits {
  /** Deliveries under way at once. */
  readonly concurrency: number;
  /** Shortest time between two sends, ms; 0: none. */
  readonly minIntervalMs: number;
  /** The time that one operation takes at most, ms. */
  readonly timeoutMs: number;
}

/** The account that a channel writes with: its service counts and refuses all channels of it together. */
export interface ChannelAccount {
  /** What tells it from other accounts of the service, secrets among it: only a hash of it is kept, in memory. */
  readonly identity: readonly string[];
  /** Shortest time between two sends of all its channels, ms; 0: none. */
  readonly minIntervalMs: number;
  /** Where the channel writes, such as a chat, if the distance of its `limits` is that of the place: who writes there too shares it. */
  readonly place?: string;
}

/** A channel at work, with its connections. Expected trouble is an outcome, never an exception. `receipt`: what an earlier operation of the notification returned. */
export interface OpenChannel {
  readonly send: (message: OutgoingMessage, context: SendContext) => Promise<Outcome>;
  /** Changes what was sent. */
  readonly update?: (message: OutgoingMessage, receipt: unknown, context: SendContext) => Promise<Outcome>;
  /** Takes back what was sent; what is gone already is a success. */
  readonly retract?: (message: OutgoingMessage, receipt: unknown, context: SendContext) => Promise<Outcome>;
  /**
   * Hands over what people answer until the signal fires; `on` resolves with the line to show them. `hasOpen`: whether messages of
   * notifications that are still open were sent before, so that somebody may press their buttons.
   */
  readonly receive?: (
    on: (answer: InboundAnswer) => Promise<string>,
    signal: AbortSignal,
    hasOpen?: () => Promise<boolean>,
  ) => Promise<void>;
  /** Shows the state of every session, at the level in force, until the signal fires; ends by itself only where nothing helps but other settings. */
  readonly mirror?: (sessions: SessionFeed, level: Level, signal: AbortSignal) => Promise<void>;
  /** Ends every connection and process; an operation in flight ends as a failure. */
  readonly close: () => Promise<void>;
}

/** Has it, or has it only where this setting is given and not false. */
export type Capability = boolean | string;

/** What a channel can do. */
export interface ChannelCapabilities<C = boolean> {
  readonly update: C;
  readonly retract: C;
  readonly receive: C;
  /** Keeps a session's messages together. */
  readonly thread: C;
  readonly buttons: C;
  /** People can answer a message with a text of their own. */
  readonly reply: C;
  /** Shows urgency in a way of its own. */
  readonly priority: C;
  /** Shows the state of every session, besides what is sent. */
  readonly mirror: C;
  /** The receiver drops a repeat by the delivery's id. Otherwise a send of unknown outcome is repeated once at most. */
  readonly idempotent: C;
}

/** A way to reach people. `S`: its settings after validation, secrets resolved to their values. */
export interface ChannelType<S = unknown> {
  readonly type: string;
  /** The keys below [channels.NAME] besides `type`: its own and those of every channel. Secrets are marked `.meta({ secret: true })`. */
  readonly schema: z.ZodType<S>;
  /** `people` look at it; `records` keep every event, so nothing is held back or taken back there. */
  readonly audience: 'people' | 'records';
  /** It is heard, so it waits while "do not disturb" is on; left away: it is not. */
  readonly audible?: true;
  /** It runs a program that the settings name: routes can begin to name it in the settings file only. */
  readonly runsProgram?: true;
  /** What is left away it cannot do. */
  readonly capabilities: Partial<ChannelCapabilities<Capability>>;
  /** What becomes of a message that has become pointless, unless the settings say otherwise. */
  readonly onResolved: OnResolved;
  readonly limits: (settings: S) => ChannelLimits;
  /** Left away: it shares nothing with others. */
  readonly account?: (settings: S) => ChannelAccount;
  /** Makes an instance; connects to nothing yet. */
  readonly open: (settings: S, tools: ChannelTools) => OpenChannel;
  /** Checks without sending anything. */
  readonly check: (settings: S, tools: ChannelTools & Pick<SendContext, 'signal'>) => Promise<readonly CheckResult[]>;
  /** Set where it lets clients write to their own terminals. */
  readonly offersToClients?: OffersToClients<S>;
  /** The browsers that it sends to, which the page adds. */
  readonly browsers?: () => Promise<Browsers>;
  /** Settings used when no config file exists; null: takes part only when configured. */
  readonly defaultSettings: S | null;
  /** What `belfry channel add` asks. */
  readonly setup: ChannelSetup;
  /** Where people are who answer through it, for "allowed by NAME in Slack"; left away: it takes no answers. */
  readonly answeredWhere?: string;
  /** The setting that is to say who may answer, where everybody who sees its messages could; null: so few see them, or it says so. Left away: the same. */
  readonly answersNeed?: (settings: S) => string | null;
  /** For the docs tables. `quota`: how many messages the service takes, where it counts them. */
  readonly docs: { readonly summary: string; readonly example: string; readonly quota?: string };
}

/** What a channel's file declares; `schema` and `defaultSettings` without the settings of every channel. */
type Declaration<Own extends z.ZodObject> = Omit<
  ChannelType<z.output<Own> & CommonSettings>,
  'schema' | 'defaultSettings'
> & { readonly schema: Own; readonly defaultSettings: z.input<Own> | null };

/** Declares a channel: adds the settings that every channel has; a `timeout` among them goes before its own. */
export function defineChannel<Own extends z.ZodObject>(
  channel: Declaration<Own>,
): ChannelType<z.output<Own> & CommonSettings> {
  type Settings = z.output<Own> & CommonSettings;
  // Its output is that of both parts, which the extension's type does not say of an unknown one.
  const schema = channel.schema.safeExtend(commonSettings) as unknown as z.ZodType<Settings>;
  return {
    ...channel,
    schema,
    defaultSettings: channel.defaultSettings === null ? null : schema.parse(channel.defaultSettings),
    limits: (settings) => {
      const own = channel.limits(settings);
      return { ...own, timeoutMs: settings.timeout ?? own.timeoutMs };
    },
  };
}
