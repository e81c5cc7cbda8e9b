// What a channel of a transcript ends at, a service or this machine, and the trouble that there is with it.
import type { LocalPeer, Peer, Seen } from './peers/index.ts';
import { startRelay } from './relay.ts';

/** Trouble that passes: a message is sent while it lasts. */
export interface PassingTrouble {
  readonly name: string;
  readonly title: string;
  readonly begin: () => unknown;
  readonly end: () => unknown;
}

export interface TranscriptEnd {
  readonly settings: Readonly<Record<string, unknown>>;
  /** What has to be there before the daemon starts, in its folder for state. */
  readonly prepare?: (stateFolder: string) => Promise<void>;
  /** Variables of the daemon, and of whoever uses it. */
  readonly env: Readonly<Record<string, string>>;
  readonly seen: () => readonly Seen[];
  readonly troubles: readonly PassingTrouble[];
  /** Trouble that does not pass. */
  readonly last: Omit<PassingTrouble, 'end'>;
  /** Whether what is seen of a message names its title. */
  readonly namesTitles: boolean;
}

/** A service behind a relay. */
export async function serviceEnd(peer: Peer): Promise<TranscriptEnd> {
  const relay = await startRelay(peer.port, peer.acted);
  const pass = (passing: typeof relay.passing) => () => {
    relay.passing = passing;
  };
  const { trouble, prepare } = peer;
  return {
    settings: peer.settings(relay.port),
    ...(prepare && { prepare: (stateFolder: string) => prepare(stateFolder, relay.port) }),
    env: {},
    seen: peer.seen,
    troubles: [
      { name: 'rate limited', title: 'Limited', begin: () => trouble('limited'), end: () => trouble(null) },
      { name: 'service down', title: 'Down', begin: relay.down, end: relay.up },
      { name: 'answer lost', title: 'Lost', begin: pass('lost'), end: pass('open') },
    ],
    last: { name: 'refused credentials', title: 'Refused', begin: () => trouble('refused') },
    namesTitles: true,
  };
}

/** Programs of this machine. */
export function localEnd({ settings, env, seen, troubles, last }: LocalPeer): TranscriptEnd {
  const titled = <T extends { readonly name: string }>(trouble: T) => ({ ...trouble, title: `While ${trouble.name}` });
  return { settings, env, seen, troubles: troubles.map(titled), last: titled(last), namesTitles: false };
}
