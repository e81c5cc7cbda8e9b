// The outbox: what went where, and what is still to go.
import type { ApiCall, ApiResult } from '../../../http/api/contract.ts';
import type { Delivery } from '../../../model/delivery/delivery.ts';
import { deliveryJson } from '../../../model/row-json.ts';
import type { ReadContext } from './context.ts';

type Row = ApiResult<'deliveries.list'>['deliveries'][number];

export async function listDeliveries(
  { store }: ReadContext,
  { query }: ApiCall<'deliveries.list'>,
): Promise<ApiResult<'deliveries.list'>> {
  const { state, channel, event, kind, cursor, limit } = query;
  const found = await store.deliveries({
    ...(state === undefined ? {} : { states: state }),
    ...(channel === undefined ? {} : { channel }),
    ...(event === undefined ? {} : { eventId: event }),
    ...(kind === undefined ? {} : { kinds: kind }),
    ...(cursor === undefined ? {} : { beforeId: cursor }),
    limit: limit + 1,
  });
  const page = [...found].reverse().slice(0, limit);
  return {
    deliveries: page.map(deliveryRow),
    cursor: found.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

/** As lists show it. */
export function deliveryRow(delivery: Delivery): Row {
  return { ...deliveryJson(delivery), scheduled: delivery.scheduled };
}
