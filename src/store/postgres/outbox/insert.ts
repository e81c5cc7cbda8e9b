// Adds deliveries to the outbox: statements of a transaction that has locked their threads, and marks the heads of their lines afterwards.
import type { Delivery } from '../../../model/delivery/delivery.ts';
import { encode } from '../../encoding.ts';
import type { Whose } from '../../records.ts';
import { noted } from '../changes.ts';
import { given, type Statement } from '../connection.ts';
import { movedTo } from './move.ts';
import { contentOf, NEW_COLUMNS, newRow } from './delivery-row.ts';
import { IN_LINE, only } from './lines.ts';

/** In the form of the columns. */
export const whoseRow = ({ machine, person, team }: Whose) => ({
  machine: encode(machine),
  person: person === null ? null : encode(person),
  team: team === null ? null : encode(team),
});

/** Rows that a transaction is given; `n`: of which of its decisions each is, `place`: their order. */
export const deliveryRows = (n: number, whose: Whose, deliveries: readonly Delivery[], owner: string) =>
  deliveries.map((delivery, place) => ({ n, place, ...whoseRow(whose), ...newRow(delivery, owner) }));

/** What they show, as rows. */
export const contentRows = (n: number, whose: Whose, shown: readonly Pick<Delivery, 'content' | 'notificationId'>[]) =>
  shown.map(({ content, notificationId }) => ({
    n,
    machine: encode(whose.machine),
    notification: encode(notificationId),
    ...contentOf(content),
  }));

/** Each once, whoever else shows the same. */
export const insertContents = (
  org: number,
  name: string,
  where: string,
): Statement => `INSERT INTO content (org, machine, notification, hash, body)
  SELECT DISTINCT ON (machine, notification, hash) ${org}, machine, notification, hash, body
  FROM ${given(name, 'n int, machine text, notification text, hash text, body text')} WHERE ${where}
  ORDER BY machine, notification, hash ON CONFLICT DO NOTHING`;

const NAMES = Object.keys(NEW_COLUMNS);
const TYPED = [
  'n int, place int, machine text, person text, team text',
  ...Object.entries(NEW_COLUMNS).map((column) => column.join(' ')),
];

/** The send of the message that a change `x` is of: it went out or is about to, or is planned for later and nothing holds it. */
const sendOf = (
  org: number,
): string => `SELECT scheduled, due FROM delivery s WHERE org = ${org} AND machine = x.machine
  AND notification = x.notification AND channel = x.channel AND step = x.step AND operation = 'send'
  AND (state = 'sent' OR (${IN_LINE}) OR (state = 'pending' AND held_by IS NULL)) ORDER BY scheduled LIMIT 1`;

/**
 * Adds the rows `name`, the sends first and then what changes them; one of an id that is there stays as it is. `isBound`: a change of a message
 * that its channel neither was sent nor is about to be is not written, and one whose send is planned for later follows it.
 */
export function insertDeliveries(org: number, name: string, where: string, isBound: boolean): readonly Statement[] {
  const rows = given(name, TYPED.join(', ')).replace(/ AS \w+/, ' AS x');
  const insert = (from: string, values: Readonly<Record<string, string>> = {}): Statement => `WITH done AS (
      INSERT INTO delivery (org, machine, person, team, ${NAMES.join(', ')})
      SELECT ${org}, x.machine, x.person, x.team, ${NAMES.map((column) => values[column] ?? `x.${column}`).join(', ')}
      FROM ${from} ORDER BY x.n, x.place ON CONFLICT DO NOTHING RETURNING machine, id),
    changed AS (${noted(org, 'delivery', 'SELECT machine, id FROM done')})
    SELECT id FROM done`;
  const changes = `x.operation <> 'send' AND ${where}`;
  const follows = { due: 'CASE WHEN s.scheduled THEN s.due ELSE x.due END', scheduled: '(x.scheduled OR s.scheduled)' };
  return [
    insert(`${rows} WHERE x.operation = 'send' AND ${where}`),
    isBound
      ? insert(`${rows} CROSS JOIN LATERAL (${sendOf(org)}) s WHERE ${changes}`, follows)
      : insert(`${rows} WHERE ${changes}`),
    // Only the latest form of a message is worth sending.
    `WITH done AS (UPDATE delivery d SET ${movedTo('superseded', 'x.created_at')}
      FROM ${rows} WHERE ${changes} AND EXISTS (SELECT 1 FROM delivery own WHERE own.org = ${org} AND own.id = x.id)
        AND d.org = ${org} AND d.machine = x.machine AND d.notification = x.notification AND d.channel = x.channel AND d.step = x.step
        AND ${only(`d.operation = 'update' AND d.state IN ('pending', 'paused') AND d.id <> x.id
          AND (x.operation = 'retract' OR d.revision < x.revision)`)} RETURNING d.machine, d.id),
    changed AS (${noted(org, 'delivery', 'SELECT machine, id FROM done')})
    SELECT id FROM done`,
  ];
}
