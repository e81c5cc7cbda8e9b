// All that may be read, made for whoever reads.
import type { StoreReader } from '../../roles/reader.ts';
import { changeReads } from '../changes.ts';
import type { Connection } from '../connection.ts';
import { stateReads } from '../state.ts';
import { timerReads } from '../timers.ts';
import { countReads } from './counts.ts';
import { deliveryReads } from './deliveries.ts';
import { eventReads } from './events.ts';
import { notificationReads } from './notifications.ts';
import { questionReads } from './questions.ts';
import { type ReadScope, readingOf } from './scope.ts';
import { sessionReads } from './sessions.ts';

/** Changes, mutes, timers and the health of channels are the organization's: whoever sees less than all of it asks for the rows that they name. */
export function readerOf(db: Connection, org: number, of: ReadScope): Omit<StoreReader, 'close'> {
  const reading = readingOf(db, org, of);
  return {
    scope: of.scope,
    ...eventReads(reading),
    ...sessionReads(reading),
    ...notificationReads(reading),
    ...deliveryReads(reading),
    ...questionReads(reading),
    ...countReads(reading),
    ...stateReads({ db, org }),
    ...timerReads({ db, org }),
    ...changeReads({ db, org }),
  };
}
