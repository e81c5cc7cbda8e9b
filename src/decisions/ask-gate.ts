// Asks the gate about sends: what it has to know is read from the store and the machine, the rarer facts only when it asks for them.
import { type GatedSend, gate, gatedPlan, type GateFacts, gatedSend } from '../dispatch/gate.ts';
import type { ChannelProfiles } from '../model/channel/profile.ts';
import type { Config } from '../model/settings/config.ts';
import type { Delivery, PlannedDelivery } from '../model/delivery/delivery.ts';
import type { Event } from '../model/event/event.ts';
import type { AskedFacts, GateVerdict } from '../model/delivery/gate.ts';
import { QUIET_HOLD } from '../model/delivery/holds.ts';
import { type Silence, silencesInForce } from '../model/event/verdict.ts';
import type { PresenceReader } from '../model/presence/presence.ts';
import type { ClaimedDelivery, StoreReader } from '../store/contract.ts';

/** What it needs. */
export interface GateDeps {
  readonly store: Pick<StoreReader, 'deliveries' | 'health'>;
  /** Unix ms. */
  readonly now: () => number;
  readonly config: () => Config;
  readonly profiles: () => ChannelProfiles;
  readonly home: string;
  readonly presence: PresenceReader;
  /** Whether "do not disturb" is on here. */
  readonly doNotDisturb: () => Promise<boolean>;
}

/** Most sends of one notification that are read: the latest. */
const MAX_SENDS = 500;

/** What is known for every send, at `now`, Unix ms. */
export async function gateFacts(
  {
    store,
    config,
    profiles,
    home,
  }: Pick<GateDeps, 'config' | 'profiles' | 'home'> & {
    readonly store: { readonly silences: (now: number) => Promise<readonly Silence[]> };
  },
  now: number,
): Promise<GateFacts> {
  const known = { profiles: profiles(), quiet: config().quiet, home, failing: new Set<string>() };
  return { ...known, silences: await store.silences(now) };
}

/** Asks the gate until it has all that it wants to know. */
async function decided(
  send: GatedSend,
  known: GateFacts,
  found: (fact: keyof AskedFacts) => Promise<Partial<GateFacts>>,
  now: () => number,
): Promise<GateVerdict> {
  let facts = known;
  for (;;) {
    const verdict = gate(send, facts, now());
    if (verdict.verdict !== 'ask') return verdict;
    facts = { ...facts, ...(await found(verdict.fact)) };
  }
}

/** What becomes of a send that is due. */
export async function askGate(
  delivery: Delivery & Pick<ClaimedDelivery, 'silences'>,
  deps: GateDeps,
): Promise<GateVerdict> {
  const { store, now } = deps;
  const { notificationId, channel, content, only } = delivery;
  const silences = async (at: number): Promise<readonly Silence[]> => silencesInForce(delivery.silences, at);

  async function found(fact: keyof AskedFacts): Promise<Partial<GateFacts>> {
    switch (fact) {
      case 'digested': {
        const held = { notificationId, channel, heldBy: QUIET_HOLD, states: ['pending'], limit: 1 } as const;
        return { digested: (await store.deliveries(held)).length > 0 };
      }
      case 'sends': {
        const sends = await store.deliveries({ notificationId, operations: ['send'], limit: MAX_SENDS });
        const failing = (await store.health()).filter(({ state }) => state === 'failing');
        return { sends, failing: new Set(failing.map((health) => health.channel)) };
      }
      default:
        return ofMachine(fact, { event: content.event, only }, deps);
    }
  }

  const facts = await gateFacts({ ...deps, store: { silences } }, now());
  return decided(gatedSend(delivery), facts, found, now);
}

/** What would become of a send of this event that is due now, were it planned so; `facts`: what is known for every send. */
export function askGateOfPlan(
  planned: PlannedDelivery,
  event: Event,
  facts: GateFacts,
  deps: Pick<GateDeps, 'now' | 'presence' | 'doNotDisturb'>,
): Promise<GateVerdict> {
  const found = async (fact: keyof AskedFacts): Promise<Partial<GateFacts>> =>
    fact === 'digested' || fact === 'sends'
      ? { digested: false, sends: [] } // nothing was sent of it yet
      : ofMachine(fact, { event, only: planned.only }, deps);
  return decided(gatedPlan(planned, event), facts, found, deps.now);
}

/** What is found out at the machine. */
async function ofMachine(
  fact: 'doNotDisturb' | 'presence',
  { event, only }: { readonly event: Event; readonly only: Delivery['only'] },
  { presence, doNotDisturb }: Pick<GateDeps, 'presence' | 'doNotDisturb'>,
): Promise<Partial<GateFacts>> {
  return fact === 'presence' ? { presence: await presence(event, only) } : { doNotDisturb: await doNotDisturb() };
}
