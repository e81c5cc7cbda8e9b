// What the settings are composed of besides their own sections: the registered channels, agents and watches.
import { agents } from '../agents/index.ts';
import { channels } from '../channels/index.ts';
import type { Agent } from '../model/agent/agent.ts';
import type { ChannelType } from '../model/channel/channel.ts';
import type { Watch } from '../model/watch/watch.ts';
import { watches } from '../sources/watches/index.ts';

/** Everything that brings settings of its own. */
export interface Registries {
  readonly channels: readonly ChannelType[];
  readonly agents: readonly Agent[];
  readonly watches: readonly Watch[];
}

/** The registries of this build. */
export const registries: Registries = { channels, agents, watches };
