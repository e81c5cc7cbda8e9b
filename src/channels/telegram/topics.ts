// A forum's topics, one for each session, as long as the channel is open: bounded.
import type { OutgoingMessage } from '../../model/channel.ts';
import { topicName } from './message.ts';

export interface Topics {
  /** The session's topic; `create` makes one by a name. Null: there is none, and the next message tries again. */
  of(message: OutgoingMessage, create: (name: string) => Promise<number | null>): Promise<number | null>;
  readonly forget: (threadKey: string) => void;
}

const MOST = 500;

/** None yet. */
export function createTopics(): Topics {
  const known = new Map<string, Promise<number | null>>();
  return {
    of: async (message, create) => {
      const { threadKey } = message;
      const topic = known.get(threadKey) ?? create(topicName(message));
      known.delete(threadKey);
      known.set(threadKey, topic);
      const [oldest] = known.keys();
      if (known.size > MOST && oldest !== undefined) known.delete(oldest);
      const id = await topic;
      if (id === null) known.delete(threadKey);
      return id;
    },
    forget: (threadKey) => known.delete(threadKey),
  };
}
