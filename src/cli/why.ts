// `belfry why`: each stage's verdict on an event, then each attempt with the receiver's answer.
import { oneLine } from '../lib/text.ts';
import { clockTime } from '../model/clock-time.ts';
import type { Attempt, Delivery } from '../model/delivery.ts';
import type { Define } from './entry.ts';
import type { Io } from './io.ts';
import { eventOf, withStore } from './with-store.ts';
import { painter } from './table-output.ts';
import { attemptJson, deliveryJson, eventJson } from './json-output.ts';
import type { StoredEvent } from '../store/contract.ts';

interface Answer {
  readonly stored: StoredEvent;
  readonly deliveries: readonly { readonly delivery: Delivery; readonly attempts: readonly Attempt[] }[];
}

export const define: Define = (command, io) => {
  command
    .argument('<ID>', 'the event, or one of its deliveries, or a session for its latest; or the beginning of the id')
    .action(async (id: string) => {
      const answer = await withStore(async (store): Promise<Answer> => {
        const stored = await eventOf(store, id);
        const deliveries = await store.deliveries({ eventId: stored.event.id });
        return {
          stored,
          deliveries: await Promise.all(
            deliveries.map(async (delivery) => ({ delivery, attempts: await store.attempts(delivery.id) })),
          ),
        };
      });
      if (!io.json) return print(io, answer);
      io.data({
        event: eventJson(answer.stored),
        verdicts: answer.stored.verdicts,
        deliveries: answer.deliveries.map(({ delivery, attempts }) => ({
          ...deliveryJson(delivery),
          attempts: attempts.map(attemptJson),
        })),
      });
    });
};

async function print(io: Io, { stored, deliveries }: Answer): Promise<void> {
  const paint = await painter(io);
  const { event, verdicts } = stored;
  const what = [event.kind, event.detail, event.agent, event.project].filter((part) => part !== null).join(' · ');
  io.line(`${clockTime(event.at)}  ${oneLine(what)}  ${event.urgency}`);
  for (const { stage, verdict, note } of verdicts)
    io.line(
      `  ${stage.padEnd(9)} ${paint(verdict === 'stop' ? 'notice' : 'plain', verdict.padEnd(6))} ${oneLine(note)}`,
    );
  if (deliveries.length === 0) io.line('told to nobody');
  for (const { delivery, attempts } of deliveries) {
    const tone =
      delivery.state === 'sent' ? 'good' : delivery.state === 'dead' || delivery.state === 'parked' ? 'bad' : 'plain';
    io.line(`${delivery.channel}: ${paint(tone, delivery.state)}  ${oneLine(delivery.notification.title)}`);
    const earlier = (attempts[0]?.number ?? 1) - 1;
    if (earlier > 0) io.line(`  (the first ${earlier} attempts are not kept)`);
    for (const attempt of attempts) io.line(`  ${attemptLine(attempt)}`);
    if (delivery.state === 'pending') io.line(`  next try ${clockTime(delivery.due)}`);
  }
}

function attemptLine(attempt: Attempt): string {
  const end = attempt.ok ? 'accepted' : `${attempt.reason ?? 'failed'}: ${oneLine(attempt.error ?? '')}`;
  const status = attempt.status === null ? '' : ` (${attempt.status})`;
  const answer = attempt.answer ? `, answered "${oneLine(attempt.answer).slice(0, 120)}"` : '';
  return `${clockTime(attempt.at)}  try ${attempt.number}: ${end}${status}${answer}; ${attempt.ms} ms; ${oneLine(attempt.next)}`;
}
