// Buttons of notifications: what they carry, and what pressing one does; a click on a notification is one too.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { nameOfPerson, type ShowQuestion } from '../../answering/index.ts';
import { acknowledge } from '../../decisions/acknowledge.ts';
import type { DecidingDeps } from '../../decisions/deciding-deps.ts';
import { type InboundAnswer, type MessageButton, NOT_MADE_HERE } from '../../model/channel/channel.ts';
import type { Delivery } from '../../model/delivery/delivery.ts';
import { UserError } from '../../model/errors.ts';
import type { Event } from '../../model/event/event.ts';
import { HERE } from '../../model/session/whereabouts.ts';
import { reportsStopped } from '../../model/session/stopped.ts';
import type { Level, NotificationContent } from '../../model/notification/notification.ts';
import { notificationIdOf } from '../../model/ids.ts';
import { resolutionOf } from '../../model/notification/resolution.ts';
import type { Store } from '../../store/contract.ts';
import type { ChannelAnswers } from '../answering/channel-answers.ts';
import type { Log } from '../shared/log.ts';
import { GO_ON_ACTIONS, type GoOnAction } from '../../model/session/go-on-offers.ts';
import type { GoOnButtons } from './go-on-buttons.ts';

/** What a button does. */
type Button = 'ack' | 'show' | GoOnAction;

/** What delivery needs of it. */
export interface Inbound {
  /** The reference of a button that acknowledges a notification on this channel: at most 64 bytes of ASCII. */
  readonly acknowledgeWith: (channel: string, notificationId: string) => string;
  /** Buttons about the sessions that it says have stopped; null: it says so of none. */
  readonly goOnWith: (
    channel: string,
    delivery: Pick<Delivery, 'notificationId' | 'content'>,
  ) => Promise<readonly MessageButton[]> | null;
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
  readonly goOn: Pick<GoOnButtons, 'offered' | 'press'>;
  /** Whether people may answer through this channel. */
  readonly mayAnswer: (channel: string) => boolean;
  /** How much this channel may say. */
  readonly level: (channel: string) => Level;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}): Inbound {
  const nonceOf = (what: Button, channel: string, id: string): string => {
    const text = what === 'ack' ? `${channel}\n${id}` : `${what}\n${channel}\n${id}`;
    return createHmac('sha256', deps.key).update(text).digest('base64url').slice(0, 22);
  };

  /** Null: it was not made here. */
  function idIn(what: Button, channel: string, reference: string): string | null {
    const [, named, id = '', nonce = ''] =
      /^(ack|show|continue|reset|hold):([\w-]{1,40}):([\w-]{22})$/.exec(reference) ?? [];
    if (named !== what) return null;
    return timingSafeEqual(Buffer.from(nonce), Buffer.from(nonceOf(what, channel, id))) ? id : null;
  }

  async function show(channel: string, id: string): Promise<string> {
    const line = await showSession(id, deps);
    deps.log('a notification was clicked', { channel, notification: id, said: line });
    return line;
  }

  const referenceOf = (what: Button, channel: string, id: string): string =>
    `${what}:${id}:${nonceOf(what, channel, id)}`;

  async function press(action: GoOnAction, id: string, by: string, level: Level): Promise<string> {
    const notification = await deps.store.notification(id);
    const over = notification && resolutionOf(notification);
    if (over?.state === 'resolved') return `Nothing to do: ${over.why}.`;
    const event = await firstEventOf(id, deps.store);
    return event === null ? NOT_KEPT : deps.goOn.press(action, event, by, level);
  }

  /** Null: it is no such button, or was not made here. */
  async function goOn(channel: string, reference: string, by: string): Promise<string | null> {
    for (const action of GO_ON_ACTIONS) {
      const id = idIn(action, channel, reference);
      if (id === null) continue;
      if (!deps.mayAnswer(channel)) return 'Nothing can be answered through this channel any more.';
      const line = await press(action, id, by, deps.level(channel));
      deps.log('a button about stopped sessions was pressed', { channel, notification: id, by, said: line });
      return line;
    }
    return null;
  }

  async function goOnButtons(channel: string, id: string, eventId: string): Promise<readonly MessageButton[]> {
    const stored = await deps.store.event(eventId); // as it is, not as this channel may read it
    const offered = stored === null ? [] : await deps.goOn.offered(stored.event);
    return offered.map(({ action, label }) => ({ label, reference: referenceOf(action, channel, id) }));
  }

  return {
    acknowledgeWith: (channel, id) => referenceOf('ack', channel, id),
    showWith: (channel, { notificationId: id, content }) =>
      canBeShown(content) ? referenceOf('show', channel, id) : null,
    goOnWith: (channel, { notificationId: id, content: { event } }) => {
      // A message of several, or of one of several, is about more than its first event.
      if (!reportsStopped(event) || id !== notificationIdOf(event.id) || !deps.mayAnswer(channel)) return null;
      return goOnButtons(channel, id, event.id);
    },
    showQuestion: deps.answers.showQuestion,
    take: async (channel, answer) => {
      const { reference, by } = answer;
      const line = await deps.answers.takeAnswer(channel, answer);
      if (line !== null) return line;
      if (reference === null)
        return 'Belfry cannot pass on what you write. Press "Got it" to acknowledge a notification.';
      const continued = await goOn(channel, reference, nameOfPerson(by));
      if (continued !== null) return continued;
      const shown = idIn('show', channel, reference);
      if (shown !== null) return show(channel, shown);
      const id = idIn('ack', channel, reference);
      if (id === null) return NOT_MADE_HERE;
      const done = await acknowledge(id, { by: nameOfPerson(by), via: channel }, deps.deciding);
      if (done === null) return NOT_KEPT;
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

const NOT_KEPT = 'This notification is not kept any more.';

/** Null: it is not kept any more. */
async function firstEventOf(
  notificationId: string,
  store: Pick<Store, 'notification' | 'event'>,
): Promise<Event | null> {
  const [first] = (await store.notification(notificationId))?.eventIds ?? [];
  return first === undefined ? null : ((await store.event(first))?.event ?? null);
}

/** The line says what was done, or what hindered it. */
async function showSession(
  notificationId: string,
  { store, env }: { readonly store: Store; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<string> {
  const event = await firstEventOf(notificationId, store);
  if (event === null || event.sessionId === null) return NOT_KEPT;
  const { focusSession, stepsText } = await import('../sessions/focus.ts');
  try {
    return stepsText((await focusSession({ ...event, sessionId: event.sessionId }, store, env)).steps);
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}
