// One decision among many: a thousand notifications are open and two hundred routes are looked through, with delays, steps, groups, quiet hours and a mute.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentByName } from '../../src/agents/index.ts';
import { loadConfig } from '../../src/config/load.ts';
import { channelProfiles } from '../../src/daemon/channels/channel-profiles.ts';
import { type DecideDeps, decideInput } from '../../src/decisions/input/decide-input.ts';
import { decideRest } from '../../src/decisions/input/decide-input.ts';
import { loadFacts } from '../../src/decisions/input/load-facts.ts';
import { createWriter } from '../../src/decisions/writer.ts';
import { parseInput } from '../../src/ingest/parse.ts';
import { newId } from '../../src/ipc/id.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Config } from '../../src/model/settings/config.ts';
import type { Incoming } from '../../src/model/event/incoming.ts';
import { begin } from '../../src/pipeline/index.ts';
import { createRedactor } from '../../src/redaction/index.ts';
import type { Store } from '../../src/store/contract.ts';
import { openStore } from '../../src/store/open.ts';
import { type Measure, type Section, spread } from '../measure.ts';

const OPEN = 1_000;
const ROUTES = 200;
/** Open notifications of the session that goes on, of all those. */
const OWN = 10;

/** The last route takes it; all before it differ in something. */
function settings(): string {
  const before = Array.from(
    { length: ROUTES - 1 },
    (_, i) => `[[routes]]\nmatch = { project = "other-${i}-*", branch = ["main", "release/*"] }\nto = ["team"]\n`,
  );
  return `[channels.desk]
type = "slack"
url = "https://127.0.0.1:9/services/x"
[channels.team]
type = "webhook"
url = "https://127.0.0.1:9/"
${before.join('')}[[routes]]
to = ["desk", "team"]
delay = "5s"
when = "away"
repeat = "30m"
group = { by = ["session"], wait = "5s", every = "1m" }
escalate = [{ after = "2m", to = ["team"] }, { after = "10m", to = ["desk"] }]
[quiet]
hours = ["22:00-07:00", "sat,sun 00:00-24:00"]
zone = "Europe/Berlin"
`;
}

function depsOf(store: Store, config: Config): DecideDeps {
  const redactor = createRedactor({ patterns: [] });
  return {
    store,
    clock: systemClock,
    home: '/home/dev',
    agents: agentByName,
    writer: createWriter({ store, around: (_decision, commit) => commit() }),
    config: () => config,
    profiles: () => channelProfiles(config),
    redactor: () => redactor,
    place: async (cwd) => ({ project: cwd.split('/').at(-1) ?? null, branch: 'main' }),
    context: async () => ({ messages: [] }),
    late: { of: () => null, add: () => undefined },
    client: async () => null,
    promptWindow: async () => null,
  };
}

/** A permission that this session asks for. */
function asked(session: string, n: number, config: Config): Incoming {
  const claude = agentByName('claude');
  if (claude === undefined) throw new Error('there is no adapter for these inputs');
  const now = systemClock.now();
  const input = {
    session_id: session,
    hook_event_name: 'PermissionRequest',
    cwd: '/home/dev/src/payments',
    tool_name: 'Bash',
    tool_input: { command: `make ${n}` },
    tool_use_id: `${session}-${n}`,
  };
  const origin = { pid: 1, ppid: 1, env: {} };
  const raw = Buffer.from(JSON.stringify(input));
  const envelope = { id: newId(now), agent: 'claude', startedAt: now, receivedAt: now, origin, raw };
  return parseInput(claude, envelope, input, 'socket', config);
}

async function fill(deps: DecideDeps, config: Config): Promise<void> {
  for (let n = 0; n < OPEN; n++) {
    const incoming = asked(n < OWN ? 'own' : `other-${n}`, n, config);
    await decideInput(incoming, deps);
  }
  const scope = { session: null, cwd: '/home/dev/elsewhere', channel: null };
  await deps.store.putSilence({ id: 'm', until: null, ...scope, all: false, createdAt: systemClock.now() });
}

async function decision(full: boolean): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'belfry-bench-'));
  const loaded = await loadConfig(settings());
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const { config } = loaded;
  const store = await openStore(join(folder, 'belfry.db'), { now: systemClock.now });
  try {
    const deps = depsOf(store, config);
    await fill(deps, config);
    const whole: number[] = [];
    const alone: number[] = [];
    for (let n = 0; n < (full ? 2_000 : 300); n++) {
      const incoming = asked('own', OPEN + n, config);
      const began = performance.now();
      const facts = await loadFacts(incoming, deps);
      const read = performance.now();
      const begun = begin(incoming, { facts, config, now: systemClock.now() });
      const { plan } = await decideRest(begun, store);
      const ended = performance.now();
      if (plan.length === 0) throw new Error('nothing was planned');
      whole.push(ended - began);
      alone.push(ended - read);
    }
    const goal = { goal: '<= 2 ms', met: spread('', '', 'ms', whole).value <= 2 };
    return [
      spread('decision', `facts and decision, ${OPEN} open notifications, ${ROUTES} routes`, 'ms', whole, goal),
      spread('decision', 'the same without reading the facts first', 'ms', alone),
    ];
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const DECISION_SECTIONS: readonly Section[] = [
  {
    name: 'decision',
    about: `Reading what is known and deciding, with ${OPEN} open notifications (${OWN} of them of the session) and ${ROUTES} routes, of which the last matches; with delay, steps, reminders, groups, quiet hours and a mute.`,
    run: ({ full }) => decision(full),
  },
];
