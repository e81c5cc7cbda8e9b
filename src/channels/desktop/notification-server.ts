// The notification server of a session bus: which one it is just now, and what it can show.
import { ASK, BUS, type Bus, type CallEnd, within } from './bus.ts';

/** Ms that a server may take to start when the bus starts it. */
const START = 5_000;

const NAME = 'org.freedesktop.Notifications';

/** A call that brought no value. */
export type Fault = Exclude<CallEnd, { kind: 'value' }> | { readonly kind: 'timeout' | 'bus-timeout' | 'no-server' };

/** One run of a notification server. */
export interface Server {
  /** Calls go to this run of it: one that replaces it does not know its ids. */
  readonly owner: string;
  /** Differs for every run, also on another bus. */
  readonly id: string;
}

/** The server that owns the name now; started by the bus where it is to be, unless `start` is false. */
export async function currentServer(bus: Bus, address: string, start = true): Promise<Server | Fault> {
  const first = await ownerOf(bus, address);
  if ('owner' in first || first.kind !== 'no-server' || !start) return first;
  const started = bus.call(address, { ...BUS, member: 'StartServiceByName', signature: 'su', body: [NAME, 0] });
  const end = await within(started, START);
  if (end.kind === 'value') return ownerOf(bus, address);
  return end.kind === 'error' ? { kind: 'no-server' } : end;
}

async function ownerOf(bus: Bus, address: string): Promise<Server | Fault> {
  const end = await within(bus.call(address, { ...BUS, member: 'GetNameOwner', signature: 's', body: [NAME] }), ASK);
  if (end.kind === 'value') return { owner: String(end.value), id: `${address} ${bus.id} ${String(end.value)}` };
  if (end.kind === 'error') return { kind: 'no-server' };
  if (end.kind === 'timeout') bus.disconnect(); // the bus itself did not answer: the next call gets another connection
  return end.kind === 'timeout' ? { kind: 'bus-timeout' } : end;
}

/** A call to one run of a server; ends when it answers, however late, or exits. */
export function callServer(
  bus: Bus,
  address: string,
  { owner }: Server,
  member: string,
  args?: { readonly signature: string; readonly body: readonly unknown[] },
): Promise<CallEnd> {
  const path = '/org/freedesktop/Notifications';
  return bus.call(address, { destination: owner, path, interface: NAME, member, ...args });
}

/** What a server can show; null when it does not say in time. */
export type AskCapabilities = (address: string, server: Server) => Promise<readonly string[] | null>;

/** Each run of a server is asked once, unless it refused. */
export function createAskCapabilities(bus: Bus): AskCapabilities {
  let asked: { readonly id: string; readonly end: Promise<CallEnd> } | null = null;
  return async (address, server) => {
    if (asked?.id !== server.id) asked = { id: server.id, end: callServer(bus, address, server, 'GetCapabilities') };
    const end = await within(asked.end, ASK);
    if (end.kind === 'value' && Array.isArray(end.value)) return end.value.map(String);
    if (end.kind !== 'timeout') asked = null;
    return null;
  };
}
