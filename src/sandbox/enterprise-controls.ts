// The mock's enterprise settings: a few revisions, each changing something a person would want to know.
import type { Contract } from '../api/contract/contract.ts';
import type { Output } from '../api/contract/endpoint.ts';
import { people } from './people.ts';
import { type Handlers, pageOf } from './service.ts';

type Change = Output<Contract['enterpriseControls']['history']>['changes'][number];
type Settings = Change['settings'];

/** The history and what tests may do to it. */
export interface Controls {
  readonly handlers: Handlers['enterpriseControls'];
  /** Adds a revision with these settings changed. */
  readonly change: (patch: Settings) => void;
}

const FIRST: Settings = {
  sessionDefaultSettings: {
    model: 'atlas-2',
    reasoningEffort: 'none',
    interactionMode: 'auto',
    autonomyLevel: 'off',
    autonomyMode: 'normal',
  },
  maxAutonomyLevel: 'medium',
  cloudSessionSync: true,
  includeCoAuthoredByAgent: true,
  enableAgentShield: true,
  managedComputersEnabled: true,
  byomComputersEnabled: true,
  commandAllowlist: ['git status', 'npm test'],
  commandDenylist: ['rm -rf /', 'curl * | sh'],
  customModels: [],
  modelPolicy: { allowedModelIds: ['atlas-2', 'atlas-2-thinking'], blockedModelIds: [], allowCustomModels: false },
  mcpPolicy: { enabled: true, allowlist: ['github'] },
  networkPolicy: { allowedIps: ['192.0.2.0/24'] },
  sandbox: {
    enabled: true,
    mode: 'per-command',
    filesystem: { allowWrite: ['.'], allowRead: ['/'], denyWrite: ['/etc'], denyRead: ['~/.ssh'] },
    network: { allowedDomains: ['packages.example.com'], allowUnixSockets: [], allowLocalBinding: false },
  },
  sessionRetentionDays: 90,
};

/** Changes after the first revision, oldest first. */
const LATER: readonly Settings[] = [
  { mcpPolicy: { enabled: true, allowlist: ['github', 'linear'] } },
  { maxAutonomyLevel: 'high' },
  {
    customModels: [
      {
        model: 'local-coder',
        baseUrl: 'https://models.example.com/v1',
        apiKey: 'sandbox-not-a-real-key',
        provider: 'vendorC',
        id: 'custom:local-coder',
        index: 0,
        displayName: 'Local coder',
        maxContextLimit: 128_000,
        extraHeaders: { 'x-team': 'platform' },
      },
    ],
  },
  { sessionRetentionDays: 30 },
];

/** Revisions so many in all, for three pages. */
const REVISIONS = 45;

/** What happened before: a domain allowed or not, a plan to keep sessions longer, and back. */
function earlier(i: number): Settings {
  const days = 60 + (i % 4) * 10;
  if (i % 3 === 0) return { sessionRetentionDays: days };
  if (i % 3 === 1) return { commandAllowlist: ['git status', 'npm test', ...(i % 2 === 0 ? ['npm run lint'] : [])] };
  return { networkPolicy: { allowedIps: ['192.0.2.0/24', `198.51.100.${i}/32`] } };
}

/** The settings' history for this seed. */
export function controlsOf(seed: string, now: () => number): Controls {
  const users = people(seed).slice(0, 3);
  const changes: Change[] = [];
  const add = (patch: Settings, at: number): void => {
    const revision = changes.length + 1;
    const user = users[revision % users.length];
    changes.unshift({
      revision,
      settings: { ...changes[0]?.settings, ...patch },
      ...(user ? { user: { id: user.id, email: user.email, name: user.name } } : {}),
      updatedAt: new Date(at).toISOString(),
    });
  };
  const start = now();
  const before = Array.from({ length: REVISIONS - 1 - LATER.length }, (_, i) => earlier(i));
  const patches = [FIRST, ...before, ...LATER];
  for (const [i, patch] of patches.entries()) add(patch, start - (patches.length - i) * 6 * 86_400_000);
  return {
    handlers: {
      history: (input) => {
        const { items, hasMore, nextCursor } = pageOf(changes, (change) => String(change.revision), input);
        return { changes: items, pagination: { hasMore, nextCursor } };
      },
    },
    change: (patch) => add(patch, now()),
  };
}
