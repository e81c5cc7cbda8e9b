// What the rest of the daemon knows of the HTTP interface.
import type { Config } from '../../model/settings/config.ts';

/** How a browser gets in. */
export interface PageAddress {
  /** With a code that works once, within a minute. */
  readonly url: string;
  /** Leads there; null: none was asked for. */
  readonly file: string | null;
}

export interface HttpService {
  configure(config: Config): Promise<void>;
  /** Serves the page on a loopback address. Throws UserError where none can be had. */
  openPage(file: boolean): Promise<PageAddress>;
  /** Those that are listened on now. */
  addresses(): readonly string[];
  /** Those of the settings that are not, as where another program has the port. */
  refused(): readonly string[];
  /** Lets requests under way end. */
  stop(): Promise<void>;
}
