// The way in: what sources accept and what Belfry itself raises goes into the journal; outages of the journal are noticed.
import { dirname } from 'node:path';
import { agents } from '../../agents/index.ts';
import { createIngest, type Ingest } from '../../ingest/ingest.ts';
import { quarantineIn } from '../../ingest/quarantine.ts';
import { createEmitter, type Emitter } from '../../lib/async/emitter.ts';
import type { Event } from '../../model/event/event.ts';
import type { Incoming } from '../../model/event/incoming.ts';
import type { MayPrecede } from '../../sources/may-still-arrive.ts';
import type { OutageTracker } from '../journal/journal-outage.ts';
import { createReportedOutages } from '../journal/reported-outages.ts';
import type { Foundation } from './foundation.ts';

export interface Intake {
  readonly ingest: Ingest;
  readonly outages: OutageTracker;
  /** Every input, once it is in the journal. */
  readonly onIncoming: Emitter<Incoming>['on'];
  /** Events that the journal cannot take, because they are about it. */
  readonly onAlarm: Emitter<Event>['on'];
  /** Whether something that began before is still on its way into the journal: what the sources say. */
  readonly precedes: MayPrecede;
  /** One more source that is asked. */
  readonly askToo: (source: MayPrecede) => void;
  /** Takes an event of Belfry's own. */
  readonly raise: (event: Event, occurrence?: string) => Promise<void>;
}

export function createIntake({ store, writer, config, bus, clock, log, paths }: Foundation): Intake {
  const incoming = createEmitter<Incoming>();
  const alarms = createEmitter<Event>();
  const { now } = clock;
  const asked: MayPrecede[] = [];
  const outages = createReportedOutages({ now, log, notify: alarms.emit, folder: dirname(paths.database) });
  const ingest = createIngest({
    store: { ...store, append: outages.instrument(store.append) },
    agents,
    config,
    now,
    log,
    quarantine: quarantineIn(paths.quarantine),
    decideNothing: async (entryId) => void (await writer.write(async () => ({ entryId, at: now() }))),
    take: incoming.emit,
    count: (what, source) => bus.publish({ type: 'taken', what, source }),
  });
  return {
    ingest,
    outages,
    onIncoming: incoming.on,
    onAlarm: alarms.on,
    precedes: (place) => asked.some((source) => source(place)),
    askToo: (source) => void asked.push(source),
    raise: (event, occurrence) => ingest.acceptEvent({ event, source: 'belfry', occurrence: occurrence ?? null }),
  };
}
