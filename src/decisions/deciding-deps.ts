// What whoever decides about notifications is given: what is known, and the one way to write.
import type { ChannelProfiles } from '../model/channel/profile.ts';
import type { StoreReader } from '../store/contract.ts';
import type { Writer } from './writer.ts';

export interface DecidingDeps {
  readonly store: StoreReader;
  readonly writer: Pick<Writer, 'write'>;
  /** Unix ms. */
  readonly now: () => number;
  /** Of the channels of the settings in force. */
  readonly profiles: () => ChannelProfiles;
}
