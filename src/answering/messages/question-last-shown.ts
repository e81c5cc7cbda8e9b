// Which question each message was last made with, so that one that appears changes only the messages that went out without it.
import type { Delivery } from '../../model/delivery/delivery.ts';

/** Messages that are remembered; the oldest go first. */
const MAX_MESSAGES = 1_000;

type Message = Pick<Delivery, 'notificationId' | 'channel' | 'step'>;

export interface MadeMessages {
  /** It is made now, with this question; null: without one. */
  note(message: Message, questionId: string | null): void;
  /** It is made now, and shows that its question can be answered. */
  noteOffer(message: Message, offers: boolean): void;
  /** Whether it was last made so; one of a daemon before this one may have been. */
  offers(message: Message): boolean;
  /** Undefined: it was not made since the daemon's start. */
  questionIn(message: Message): string | null | undefined;
}

/** None was made yet. */
export function createMadeMessages(): MadeMessages {
  const made = new Map<string, string | null>();
  const offering = new Map<string, boolean>();
  const keyOf = ({ notificationId, channel, step }: Message): string => `${notificationId} ${step} ${channel}`;
  return {
    note: (message, questionId) => {
      const key = keyOf(message);
      made.delete(key);
      made.set(key, questionId);
      const [oldest] = made.keys();
      if (made.size > MAX_MESSAGES && oldest !== undefined) {
        made.delete(oldest);
        offering.delete(oldest);
      }
    },
    noteOffer: (message, offers) => void offering.set(keyOf(message), offers),
    offers: (message) => offering.get(keyOf(message)) ?? true,
    questionIn: (message) => made.get(keyOf(message)),
  };
}
