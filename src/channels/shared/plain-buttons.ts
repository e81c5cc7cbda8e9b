// The buttons of a message that answer no question: what is done about sessions that have stopped, then that it was seen.
import type { MessageButton, OutgoingMessage } from '../../model/channel/channel.ts';

/** None once all is over; what was acknowledged can still go on. */
export function plainButtons({ goOn, acknowledgeWith, resolution }: OutgoingMessage): readonly MessageButton[] {
  if (resolution?.state === 'resolved') return [];
  const isNew = acknowledgeWith !== null && resolution === null;
  return [...goOn, ...(isNew ? [{ label: 'Got it', reference: acknowledgeWith }] : [])];
}
