// A forum's topics, one for each session: remembered while the channel is open, bounded, and by the receipts of what was sent before.
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import { topicName } from './message.ts';

export interface Topics {
  /** The session's topic: the one known, or `before`; `create` makes one by a name. Null: there is none, and the next message tries again. */
  of(
    message: OutgoingMessage,
    before: number | undefined,
    create: (name: string) => Promise<number | null>,
  ): Promise<number | null>;
  /** It is gone: the session's next message makes another. */
  readonly forget: (threadKey: string, topic: number | null) => void;
}

const MAX_TOPICS = 500;

/** None yet. */
export function createTopics(): Topics {
  const known = new Map<string, Promise<number | null>>();
  const gone = new Set<number>();
  return {
    of: async (message, before, create) => {
      const { threadKey } = message;
      const earlier = before === undefined || gone.has(before) ? undefined : Promise.resolve(before);
      const topic = known.get(threadKey) ?? earlier ?? create(topicName(message));
      known.delete(threadKey);
      known.set(threadKey, topic);
      const [oldest] = known.keys();
      if (known.size > MAX_TOPICS && oldest !== undefined) known.delete(oldest);
      const id = await topic;
      if (id === null) known.delete(threadKey);
      return id;
    },
    forget: (threadKey, topic) => {
      known.delete(threadKey);
      if (gone.size >= MAX_TOPICS) gone.clear();
      if (topic !== null) gone.add(topic);
    },
  };
}
