// Sends an internal event directly, bypassing journal and outbox, which cannot be written: one attempt a channel.
import type { DeliveryService } from '../../delivery/index.ts';
import type { Config } from '../../model/settings/config.ts';
import type { Event } from '../../model/event/event.ts';
import { isGroupHold } from '../../model/delivery/holds.ts';
import type { Delivery } from '../../model/delivery/delivery.ts';
import { decide, noFacts } from '../../pipeline/index.ts';
import type { Redactor } from '../../redaction/index.ts';
import type { Store } from '../../store/contract.ts';
import type { Log } from '../shared/log.ts';
import { buildDeliveries } from '../../decisions/new-rows.ts';

/** What it needs. */
export interface DirectNotifierDeps {
  readonly store: Pick<Store, 'silences'>;
  readonly config: () => Config;
  readonly redactor: () => Redactor;
  readonly send: DeliveryService['sendDirect'];
  readonly now: () => number;
  readonly home: string;
  readonly log: Log;
}

/** Bypasses the outbox. */
export interface DirectNotifier {
  /** Sends in the background, through the channels the pipeline chooses; never throws. The ids are those the outbox would give. */
  notify(event: Event): void;
  /** Accepts no more; resolves when nothing is being sent: each channel keeps its own time limit. */
  stop(): Promise<void>;
}

/** Builds it. */
export function createDirectNotifier(deps: DirectNotifierDeps): DirectNotifier {
  const { config, now, log } = deps;
  const inFlight = new Set<Promise<unknown>>();
  let stopped = false;

  async function buildRows(event: Event): Promise<readonly Delivery[]> {
    const at = now();
    const silences = await deps.store.silences(at).catch(() => []); // the journal cannot be read: rather notify despite a silence than not at all
    const { plan } = decide(
      { type: 'event', entryId: event.id, source: 'belfry', startedAt: at, receivedAt: at, event, occurrence: null },
      { facts: { ...noFacts(deps.home), silences }, config: config(), now: at },
    );
    const to = { config: config(), redactor: deps.redactor(), now: at, continues: [] };
    // It is urgent, and nothing keeps what is planned for later.
    const first = plan.filter(({ step, heldBy }) => step === 0 && (heldBy === undefined || isGroupHold(heldBy)));
    return buildDeliveries(event, first, { messages: [] }, 'Belfry', to);
  }

  async function send({ channel, id, content }: Delivery): Promise<void> {
    const outcome = await deps.send(channel, id, content, 'notice');
    if (outcome?.ok === false) log('a direct notice was not accepted', { channel, error: outcome.error });
  }

  return {
    notify: (event) => {
      if (stopped) return;
      const sent = buildRows(event)
        .then((deliveries) => Promise.all(deliveries.map(send)))
        .catch((error: unknown) => log('a direct notice could not be sent', { error: String(error) }))
        .finally(() => inFlight.delete(sent));
      inFlight.add(sent);
    },
    stop: async () => {
      stopped = true;
      await Promise.all(inFlight);
    },
  };
}
