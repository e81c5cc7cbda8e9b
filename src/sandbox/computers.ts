// The mock's computers: provisioned over time, to active, or to error where the name says "fail".
import type { Contract } from '../api/contract/contract.ts';
import type { Output } from '../api/contract/endpoint.ts';
import { hex, seeded } from './random.ts';
import { type Handlers, notFound, Refusal } from './service.ts';

type Computer = Output<Contract['computers']['get']>;

/** How long each step of provisioning takes, ms. */
const STEPS = [
  { id: 'create-computer', name: 'Create computer', ms: 600 },
  { id: 'install-agent', name: 'Install agent', ms: 1_000 },
  { id: 'connect-relay', name: 'Connect relay', ms: 400 },
] as const;

interface Kept {
  readonly id: string;
  name: string;
  remoteUser: string;
  readonly provider: 'byom' | 'hosted';
  readonly createdAt: number;
  /** The error of the step that fails; null: none does. */
  fault: { readonly step: string; readonly error: string; readonly at: number } | null;
}

/** The computers and what tests may do to them. */
export interface Computers {
  readonly handlers: Handlers['computers'];
  /** As it is now; null: no such id. */
  readonly byId: (id: string) => Computer | null;
  /** Turns a computer to error, or back. */
  readonly setFault: (name: string, error: string | null) => void;
}

/** Computers of this seed: one of one's own, a hosted one, and one that failed. */
export function computersOf(seed: string, now: () => number): Computers {
  const draw = seeded(seed, 'computers');
  const all: Kept[] = [];
  const add = (name: string, remoteUser: string, provider: 'byom' | 'hosted', createdAt: number): Kept => {
    const kept: Kept = { id: `comp_${hex(draw, 2)}`, name, remoteUser, provider, createdAt, fault: null };
    if (/fail/i.test(name))
      kept.fault = { step: 'install-agent', error: 'package mirror did not answer', at: createdAt + 1_000 };
    all.push(kept);
    return kept;
  };
  const start = now();
  add('build-box', 'dev', 'byom', start - 40 * 86_400_000);
  add('cloud-1', 'agent', 'hosted', start - 9 * 86_400_000);
  add('cloud-failed', 'agent', 'hosted', start - 2 * 86_400_000);
  const find = (match: (kept: Kept) => boolean, what: string): Kept => {
    const kept = all.find(match);
    if (!kept) throw notFound(what);
    return kept;
  };
  const free = (name: string, self?: Kept): void => {
    if (all.some((kept) => kept.name === name && kept !== self))
      throw new Refusal(409, 'Conflict', `a computer named ${name} exists already`);
  };
  return {
    handlers: {
      create: (input) => {
        free(input.name);
        return view(add(input.name, input.remoteUser, input.provider ?? 'hosted', now()), now());
      },
      update: (input) => {
        const kept = find((one) => one.id === input.computerId, `computer ${input.computerId}`);
        if (input.name !== undefined) free(input.name, kept);
        kept.name = input.name ?? kept.name;
        kept.remoteUser = input.remoteUser ?? kept.remoteUser;
        return view(kept, now());
      },
      get: (input) =>
        view(
          find((one) => one.name === input.name, `a computer named ${input.name}`),
          now(),
        ),
      list: () => ({ computers: all.map((kept) => view(kept, now())) }),
    },
    byId: (id) => {
      const kept = all.find((one) => one.id === id);
      return kept ? view(kept, now()) : null;
    },
    setFault: (name, error) => {
      const kept = find((one) => one.name === name, `a computer named ${name}`);
      kept.fault = error === null ? null : { step: 'connect-relay', error, at: now() };
    },
  };
}

/** A computer as it is at `now`: the steps follow from the time since it was created. */
function view(kept: Kept, now: number): Computer {
  let at = kept.createdAt;
  let failed = false;
  const steps = STEPS.map(({ id, name, ms }) => {
    const startedAt = at;
    at += ms;
    if (failed || now < startedAt) return { id, name, status: 'pending' };
    const fault = kept.fault?.step === id && now >= kept.fault.at ? kept.fault : null;
    if (fault && now >= startedAt) {
      failed = true;
      return { id, name, status: 'failed', error: fault.error, startedAt, completedAt: Math.max(fault.at, startedAt) };
    }
    return now >= at
      ? { id, name, status: 'completed', startedAt, completedAt: at }
      : { id, name, status: 'running', startedAt };
  });
  const status = failed ? 'error' : steps.every((step) => step.status === 'completed') ? 'active' : 'provisioning';
  return {
    id: kept.id,
    name: kept.name,
    providerType: kept.provider,
    createdAt: kept.createdAt,
    hostname: `${kept.name.toLowerCase().replace(/[^a-z0-9-]+/g, '-')}.sandbox.example.com`,
    status,
    provisioningSteps: steps,
    ...(status === 'active'
      ? {
          relayClientUrl: `wss://relay.sandbox.example.com/client/${kept.id}`,
          relayAgentUrl: `wss://relay.sandbox.example.com/agent/${kept.id}`,
        }
      : {}),
    remoteUser: kept.remoteUser,
  };
}
