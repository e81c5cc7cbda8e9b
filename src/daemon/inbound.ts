// Buttons of notifications: what they carry, and what pressing one does.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { nameOfPerson, type ShowQuestion } from '../answering/index.ts';
import type { InboundAnswer } from '../model/channel.ts';
import { resolutionOf } from '../model/resolution.ts';
import { type AcknowledgeDeps, acknowledgeNow } from './acknowledge.ts';
import type { ChannelAnswers } from './channel-answers.ts';

/** What delivery needs of it. */
export interface Inbound {
  /** The reference of a button that acknowledges a notification on this channel: at most 64 bytes of ASCII. */
  readonly acknowledgeWith: (channel: string, notificationId: string) => string;
  /** What a message says of the question behind its notification. */
  readonly showQuestion: ShowQuestion;
  /** A person answered, whom the channel has let through; resolves with the line to show them. */
  readonly take: (channel: string, answer: InboundAnswer) => Promise<string>;
}

/** `key`: proves that a reference was made here, for this channel and notification. It works once: afterwards the notification is not open any more. */
export function createInbound(
  deps: AcknowledgeDeps & {
    readonly key: Buffer;
    readonly answers: Pick<ChannelAnswers, 'showQuestion' | 'takeAnswer'>;
  },
): Inbound {
  const nonceOf = (channel: string, id: string): string =>
    createHmac('sha256', deps.key).update(`${channel}\n${id}`).digest('base64url').slice(0, 22);

  /** Null: it was not made here. */
  function idIn(channel: string, reference: string): string | null {
    const [, id = '', nonce = ''] = /^ack:([\w-]{1,40}):([\w-]{22})$/.exec(reference) ?? [];
    return nonce !== '' && timingSafeEqual(Buffer.from(nonce), Buffer.from(nonceOf(channel, id))) ? id : null;
  }

  return {
    acknowledgeWith: (channel, id) => `ack:${id}:${nonceOf(channel, id)}`,
    showQuestion: deps.answers.showQuestion,
    take: async (channel, answer) => {
      const { reference, by } = answer;
      const line = await deps.answers.takeAnswer(channel, answer);
      if (line !== null) return line;
      if (reference === null)
        return 'Belfry cannot pass on what you write. Press "Got it" to acknowledge a notification.';
      const id = idIn(channel, reference);
      if (id === null) return 'This button was not made by this Belfry.';
      const done = await acknowledgeNow(id, { by: nameOfPerson(by), via: channel }, deps);
      if (done === null) return 'This notification is not kept any more.';
      if (done.result === 'acknowledged') return 'Acknowledged.';
      const why = resolutionOf(done.notification)?.why;
      return why === undefined ? 'It was too old already.' : `Nothing to do: ${why}.`;
    },
  };
}
