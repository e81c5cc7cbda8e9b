// What goes on at a channel besides its sends: hearing what people answer through it, and showing the state of sessions there.
import type { InboundAnswer } from '../../model/channel/channel.ts';
import type { ChannelInstance, ChannelInstances } from './channel-instance.ts';
import type { DeliveryDeps } from '../deps.ts';
import { type KeptRunning, keepRunning } from './keep-running.ts';

/** Hands over answers, where the channel can receive under its settings. */
export function startListening(name: string, instances: ChannelInstances, deps: DeliveryDeps): KeptRunning {
  const { inbound, store } = deps;
  return kept(name, instances, deps, {
    wanted: () => inbound !== undefined && instances.capabilities().receive,
    ended: 'delivery: answers are not received any more',
    run: async ({ open }, signal) => {
      if (inbound === undefined) return;
      const on = (answer: InboundAnswer): Promise<string> => inbound.take(name, answer);
      await open.receive?.(on, signal, () => store.sentOpen(name));
    },
  });
}

/** Shows the sessions there, where the channel can. */
export function startMirroring(name: string, instances: ChannelInstances, deps: DeliveryDeps): KeptRunning {
  const { sessions } = deps;
  return kept(name, instances, deps, {
    wanted: () => sessions !== undefined && instances.capabilities().mirror,
    ended: 'delivery: sessions are not shown any more',
    run: async ({ open, configured }, signal) => {
      if (sessions !== undefined) await open.mirror?.(sessions, configured.level, signal);
    },
  });
}

interface Work {
  readonly wanted: () => boolean;
  /** For the log, where it broke off. */
  readonly ended: string;
  readonly run: (instance: ChannelInstance, signal: AbortSignal) => Promise<void>;
}

function kept(name: string, instances: ChannelInstances, { clock, log }: DeliveryDeps, work: Work): KeptRunning {
  const once = async (signal: AbortSignal): Promise<void> => {
    try {
      await instances.use((instance) => work.run(instance, signal));
    } catch (error) {
      const kind = error instanceof Error ? error.name : typeof error; // its message may hold a secret
      log(work.ended, { channel: name, error: kind });
    }
  };
  return keepRunning(once, work.wanted, clock);
}
