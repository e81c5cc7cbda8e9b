// Buttons of notifications: what they carry, and what pressing one does; a click on a notification is one too.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { nameOfPerson, type ShowQuestion } from '../../answering/index.ts';
import { acknowledge } from '../../decisions/acknowledge.ts';
import type { DecidingDeps } from '../../decisions/deciding-deps.ts';
import { type InboundAnswer, NOT_MADE_HERE } from '../../model/channel/channel.ts';
import type { Delivery } from '../../model/delivery/delivery.ts';
import { UserError } from '../../model/errors.ts';
import { HERE } from '../../model/session/whereabouts.ts';
import type { NotificationContent } from '../../model/notification/notification.ts';
import { resolutionOf } from '../../model/notification/resolution.ts';
import type { Store } from '../../store/contract.ts';
import type { ChannelAnswers } from '../answering/channel-answers.ts';
import type { Log } from '../shared/log.ts';

/** What a button does. */
type Button = 'ack' | 'show';

/** What delivery needs of it. */
export interface Inbound {
  /** The reference of a button that acknowledges a notification on this channel: at most 64 bytes of ASCII. */
  readonly acknowledgeWith: (channel: string, notificationId: string) => string;
  /** The reference of a button that takes the person to the session; null: it is on no screen of this machine. */
  readonly showWith: (channel: string, delivery: Pick<Delivery, 'notificationId' | 'content'>) => string | null;
  /** What a message says of the question behind its notification. */
  readonly showQuestion: ShowQuestion;
  /** A person answered, whom the channel has let through; resolves with the line to show them. */
  readonly take: (channel: string, answer: InboundAnswer) => Promise<string>;
}

/** `key`: proves that a reference was made here, for this channel and notification. An acknowledgement works once: afterwards the notification is not open any more. */
export function createInbound(deps: {
  readonly store: Store;
  readonly deciding: DecidingDeps;
  readonly key: Buffer;
  readonly answers: Pick<ChannelAnswers, 'showQuestion' | 'takeAnswer'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}): Inbound {
  const nonceOf = (what: Button, channel: string, id: string): string => {
    const text = what === 'ack' ? `${channel}\n${id}` : `${what}\n${channel}\n${id}`;
    return createHmac('sha256', deps.key).update(text).digest('base64url').slice(0, 22);
  };

  /** Null: it was not made here. */
  function idIn(what: Button, channel: string, reference: string): string | null {
    const [, named, id = '', nonce = ''] = /^(ack|show):([\w-]{1,40}):([\w-]{22})$/.exec(reference) ?? [];
    if (named !== what) return null;
    return timingSafeEqual(Buffer.from(nonce), Buffer.from(nonceOf(what, channel, id))) ? id : null;
  }

  async function show(channel: string, id: string): Promise<string> {
    const line = await showSession(id, deps);
    deps.log('a notification was clicked', { channel, notification: id, said: line });
    return line;
  }

  return {
    acknowledgeWith: (channel, id) => `ack:${id}:${nonceOf('ack', channel, id)}`,
    showWith: (channel, { notificationId: id, content }) =>
      canBeShown(content) ? `show:${id}:${nonceOf('show', channel, id)}` : null,
    showQuestion: deps.answers.showQuestion,
    take: async (channel, answer) => {
      const { reference, by } = answer;
      const line = await deps.answers.takeAnswer(channel, answer);
      if (line !== null) return line;
      if (reference === null)
        return 'Belfry cannot pass on what you write. Press "Got it" to acknowledge a notification.';
      const shown = idIn('show', channel, reference);
      if (shown !== null) return show(channel, shown);
      const id = idIn('ack', channel, reference);
      if (id === null) return NOT_MADE_HERE;
      const done = await acknowledge(id, { by: nameOfPerson(by), via: channel }, deps.deciding);
      if (done === null) return 'This notification is not kept any more.';
      if (done.result === 'acknowledged') return 'Acknowledged.';
      const why = resolutionOf(done.notification)?.why;
      return why === undefined ? 'It was too old already.' : `Nothing to do: ${why}.`;
    },
  };
}

/** One session of this machine, in a terminal that its hook could name. */
function canBeShown({ event, members = [] }: NotificationContent): boolean {
  const { place, host, user, sessionId } = event;
  const isOne = members.every((member) => member.event.sessionId === sessionId);
  return place !== null && sessionId !== null && isOne && host === HERE.host && user === HERE.user;
}

/** The line says what was done, or what hindered it. */
async function showSession(
  notificationId: string,
  { store, env }: { readonly store: Store; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<string> {
  const [first] = (await store.notification(notificationId))?.eventIds ?? [];
  const event = first === undefined ? null : ((await store.event(first))?.event ?? null);
  if (event === null || event.sessionId === null) return 'This notification is not kept any more.';
  const { focusSession, stepsText } = await import('../sessions/focus.ts');
  try {
    return stepsText((await focusSession({ ...event, sessionId: event.sessionId }, store, env)).steps);
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}
