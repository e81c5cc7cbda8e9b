// Prometheus metrics: counted from the daemon's events, loaded and counted only from the first time they are served.
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Store } from '../../store/contract.ts';
import type { DaemonEvent, EventBus } from '../shared/event-bus.ts';

/** The metrics of one daemon. */
export interface Metrics {
  /** Counts from now on; again is nothing. */
  enable(): Promise<void>;
  /** In Prometheus' text format. Rejects when the store cannot be read. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

interface Gauges {
  readonly registry: Registry;
  readonly accepted: Counter;
  readonly unreadable: Counter;
  readonly suppressed: Counter;
  readonly delivered: Counter;
  readonly failed: Counter;
  readonly latency: Histogram;
  readonly depth: Gauge;
}

/** Latency from the event to the receiver's acceptance, seconds. */
const BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3600];

/** Nothing is counted or loaded until they are enabled. */
export function createMetrics(store: Store, bus: EventBus): Metrics {
  let gauges: Promise<Gauges> | null = null;
  const enabled = (): Promise<Gauges> => {
    gauges ??= makeGauges().then((made) => {
      bus.subscribe((event) => count(made, event));
      return made;
    });
    return gauges;
  };
  return {
    enable: async () => void (await enabled()),
    render: async () => {
      const { registry, depth } = await enabled();
      for (const [state, number] of Object.entries((await store.counts()).deliveries)) depth.set({ state }, number);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

function count({ accepted, unreadable, suppressed, delivered, failed, latency }: Gauges, event: DaemonEvent): void {
  if (event.type === 'taken') {
    if (event.what === 'accepted') accepted.inc({ source: event.source });
    if (event.what === 'unreadable') unreadable.inc({ source: event.source });
  } else if (event.type === 'decided') {
    for (const { verdicts } of event.decision.events) {
      const stop = verdicts.findLast(({ verdict }) => verdict === 'stop');
      if (stop) suppressed.inc({ reason: stop.stage });
    }
  } else if (event.type === 'settled') {
    const { delivery, attempt } = event;
    const { channel } = delivery;
    if (!attempt.ok) {
      failed.inc({ channel, reason: attempt.reason ?? 'unknown' });
      return;
    }
    delivered.inc({ channel });
    if (delivery.operation === 'send')
      latency.observe({ channel }, Math.max(0, attempt.at + attempt.ms - delivery.content.event.at) / 1_000);
  }
}

async function makeGauges(): Promise<Gauges> {
  // CommonJS: its names are on the default export.
  const { Counter, Gauge, Histogram, Registry } = (await import('prom-client')).default;
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  return {
    registry,
    accepted: counter('belfry_events_accepted_total', 'Inputs and events journaled', ['source']),
    unreadable: counter('belfry_events_unreadable_total', 'Inputs put into quarantine', ['source']),
    suppressed: counter('belfry_events_suppressed_total', 'Events sent to nobody, by the stage that stopped them', [
      'reason',
    ]),
    delivered: counter('belfry_deliveries_total', 'Deliveries accepted by their receiver', ['channel']),
    failed: counter('belfry_delivery_failures_total', 'Failed attempts', ['channel', 'reason']),
    latency: new Histogram({
      name: 'belfry_delivery_latency_seconds',
      help: 'From the event to the receiver having accepted it',
      labelNames: ['channel'],
      buckets: BUCKETS,
      registers,
    }),
    depth: new Gauge({
      name: 'belfry_outbox_deliveries',
      help: 'Deliveries in the outbox',
      labelNames: ['state'],
      registers,
    }),
  };
}
