// What decides in a test: a writer on a store, with nobody who listens, and what those are given who decide about notifications.
import { channelProfiles } from '../../src/daemon/channels/channel-profiles.ts';
import type { DecidingDeps } from '../../src/decisions/deciding-deps.ts';
import { createWriter, type Writer } from '../../src/decisions/writer.ts';
import type { Config } from '../../src/model/settings/config.ts';
import type { Store } from '../../src/store/contract.ts';

/** One that announces to nobody. */
export function writerOf(store: Store): Writer {
  return createWriter({ store, around: (_decision, commit) => commit() });
}

/** `now`: Unix ms. */
export function decidingOf(store: Store, now: () => number, config: () => Config): DecidingDeps {
  return { store, writer: writerOf(store), now, profiles: () => channelProfiles(config()) };
}
