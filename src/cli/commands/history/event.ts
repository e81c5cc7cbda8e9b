// `belfry event`: one event, whole.
import { plainText } from '../../../lib/text/text.ts';
import type { Define } from '../../command-entry.ts';
import { eventOf, withStore } from '../../reading/with-store.ts';
import { deliveryJson, eventJson } from '../../../model/row-json.ts';

export const define: Define = (command, io) => {
  command
    .argument(
      '<ID>',
      'number of `belfry pending`, or id of an event, notification, question, delivery or session (its latest event); the beginning is enough',
    )
    .action(async (id: string) => {
      const found = await withStore(async (store) => {
        const stored = await eventOf(store, id);
        return { stored, deliveries: await store.deliveries({ covers: stored.event.id }) };
      });
      const whole = {
        ...eventJson(found.stored),
        verdicts: found.stored.verdicts,
        deliveries: found.deliveries.map(deliveryJson),
      };
      if (io.json) return io.data(whole);
      for (const [name, value] of Object.entries(eventJson(found.stored))) {
        const text = textOf(value);
        if (text === '') continue;
        io.line(`${name.padEnd(11)} ${plainText(text).replace(/\n/g, `\n${' '.repeat(12)}`)}`);
      }
      io.note(`belfry why ${found.stored.event.id.slice(0, 13)} shows where it was sent, and why`);
    });
};

/** Of an object the fields that are known: "terminal: xterm, tty: /dev/pts/3"; what says nothing is empty. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object' || Array.isArray(value))
    return typeof value === 'string' ? value : JSON.stringify(value);
  const known = Object.entries(value).filter(([, field]) => field !== null && field !== '');
  return known.map(([key, field]) => `${key}: ${typeof field === 'string' ? field : JSON.stringify(field)}`).join(', ');
}
