// What the endpoints of the HTTP interface work with.
import type { AnsweringService } from '../../answering/index.ts';
import type { LiveConfig } from '../../config/config-watcher.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store/contract.ts';
import type { AcknowledgeDeps } from '../acknowledge.ts';
import type { ServiceClients } from '../service-clients.ts';

/** Handed in by the daemon. */
export interface ApiDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly liveConfig: LiveConfig;
  /** Path of the settings file. */
  readonly file: string;
  readonly home: string;
  readonly answering: Pick<AnsweringService, 'answer'>;
  readonly acknowledge: AcknowledgeDeps;
  readonly service: Pick<ServiceClients, 'noRetry'>;
  /** Runs a command as the local socket would. */
  readonly command: (op: string, args: Readonly<Record<string, unknown>>) => Promise<unknown>;
}
