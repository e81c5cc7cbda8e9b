// How the connection to a machine elsewhere is.

/** Why it ended. Those but `network`, `journal` and `closed` are not tried again before something changes. */
export type EndReason =
  | 'network'
  | 'journal'
  | 'closed'
  | 'sign-in'
  | 'host-key'
  | 'no-program'
  | 'no-relay'
  | 'refused'
  | 'folder'
  | 'protocol';

/** off: nobody wants it connected. stopped: it could not be, and is not tried again. */
export type RemoteState = 'off' | 'connecting' | 'connected' | 'waiting' | 'stopped';

/** What is known of it, for people. Times are Unix ms. */
export interface RemoteStatus {
  readonly name: string;
  readonly state: RemoteState;
  /** When this state began; of one that is wanted and not connected, since when that is so. */
  readonly since: number;
  /** Why it is not connected; null while it is, or nobody knows. */
  readonly reason: EndReason | null;
  readonly detail: string | null;
  /** What the login printed the last time. */
  readonly noise: readonly string[];
  readonly roundTrip: number | null;
  /** What it says of itself; null: it was never connected. */
  readonly hello: { readonly host: string; readonly user: string; readonly shell: string; readonly os: string } | null;
  readonly lastEvent: number | null;
  /** It has no space to write. */
  readonly trouble: 'folder' | 'space' | null;
}

/** Somebody wants it connected, and it is not. */
export const isLost = ({ state }: Pick<RemoteStatus, 'state'>): boolean =>
  state === 'waiting' || state === 'stopped' || state === 'connecting';

/** Those that are lost by their names, with since when, Unix ms. */
export const lostMachines = (all: readonly RemoteStatus[]): ReadonlyMap<string, number> =>
  new Map(all.filter(isLost).map(({ name, since }) => [name, since]));
