// A channel as configured: what the worker is handed.
import type { ChannelType } from '../../model/channel/channel.ts';
import type { Level } from '../../model/notification/notification.ts';

/** One entry of [channels.NAME], its settings validated and its secrets resolved. */
export interface ConfiguredChannel {
  readonly name: string;
  readonly channel: ChannelType;
  readonly settings: unknown;
  /** How much text leaves the machine through it; applied when the notification is made, and to what is shown of sessions. */
  readonly level: Level;
}
