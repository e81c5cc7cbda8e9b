// Prometheus metrics on a loopback port when [daemon] metrics is set; counted from the event bus, loaded only then.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../lib/clock.ts';
import type { Store } from '../store/contract.ts';
import type { Log } from './log.ts';
import type { DaemonEvent, EventBus } from './event-bus.ts';

/** The metrics' server; follows the settings. */
export interface Metrics {
  /** `address`: host and port, or undefined for none. Never throws: a port that is taken is logged and tried again. */
  serve(address: string | undefined): Promise<void>;
  stop(): Promise<void>;
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

/** Ms until a port that was taken is tried again. */
const RETRY = 5_000;

/** Nothing is counted or loaded until there is an address. */
export function createMetrics({
  store,
  bus,
  clock,
  log,
}: {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly log: Log;
}): Metrics {
  let server: Server | null = null;
  let served: string | undefined;
  let gauges: Gauges | null = null;
  let cancelRetry = (): void => undefined;

  const close = (): Promise<void> =>
    new Promise((resolve) => {
      cancelRetry();
      if (server === null) return resolve();
      server.closeAllConnections();
      server.close(() => resolve());
      server = null;
    });

  async function answer({ registry, depth }: Gauges, request: IncomingMessage, response: ServerResponse) {
    // A page in the user's browser must not read this by a name that resolves to the loopback address.
    if (!isLoopback(request.headers.host)) return response.writeHead(403).end('this host name is not served\n');
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end('see /metrics\n');
    try {
      for (const [state, number] of Object.entries((await store.counts()).deliveries)) depth.set({ state }, number);
      response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
    } catch (error) {
      log('the metrics cannot be gathered', { error: String(error) });
      response.writeHead(500).end('see daemon.log\n');
    }
  }

  /** Tries until the port is free. `again`: it was taken before, which has been logged. */
  function listen(made: Gauges, address: string, again: boolean): void {
    const { host, port } = split(address);
    const listening = createServer((request, response) => void answer(made, request, response));
    server = listening;
    listening.headersTimeout = 5_000;
    listening.requestTimeout = 5_000;
    let open = false;
    listening.on('listening', () => {
      open = true;
      if (again) log('the metrics are served after all', { address });
    });
    listening.on('error', (error) => {
      if (open || !again) log('the metrics cannot be served', { address, error: error.message });
      if (!open && server === listening) cancelRetry = clock.setTimer(RETRY, () => listen(made, address, true));
    });
    listening.listen(port, host);
  }

  return {
    serve: async (address) => {
      if (address === served) return;
      await close();
      served = address;
      if (address === undefined) return;
      if (gauges === null) {
        const made = await makeGauges();
        gauges = made;
        bus.subscribe((news) => count(made, news));
      }
      listen(gauges, address, false);
    },
    stop: close,
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
  } else {
    const { delivery, attempt } = event;
    const { channel } = delivery;
    if (!attempt.ok) {
      failed.inc({ channel, reason: attempt.reason ?? 'unknown' });
      return;
    }
    delivered.inc({ channel });
    latency.observe({ channel }, Math.max(0, attempt.at + attempt.ms - delivery.notification.event.at) / 1_000);
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
    suppressed: counter('belfry_events_suppressed_total', 'Events told to nobody, by the stage that stopped them', [
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

function split(address: string): { host: string; port: number } {
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) };
}

function isLoopback(host: string | undefined): boolean {
  return /^(127(\.\d{1,3}){3}|localhost|\[::1\])(:\d+)?$/i.test(host ?? '');
}
