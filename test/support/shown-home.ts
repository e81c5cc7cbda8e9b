// A home as a person has it on an ordinary afternoon, for pictures: several agents in several repositories, one asks, some wait, some are done.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { permission, startWaiting } from './answering.ts';
import { type RunningDaemon, startDaemon } from './programs.ts';
import { serviceSettings } from './service-home.ts';
import { homeWith, spool } from './thread.ts';

const SETTINGS = `
[channels.desk]
type = "command"
run = ["true"]

[channels.phone]
type = "command"
run = ["true"]

[channels.team]
type = "command"
run = ["false"]

[[routes]]
match = { urgency = "urgent" }
to = ["desk", "team"]
escalate = [{ after = "2m", to = ["phone"] }]

[[routes]]
match = { kind = "agent.waiting" }
to = ["desk"]
escalate = [{ after = "10m", to = ["phone"] }]

[[routes]]
to = ["desk"]

[quiet]
hours = ["23:00-07:00"]
urgent = "pass"

[answer]
kinds = ["permission", "question"]
`;

const MINUTE = 60_000;

/** One session: what it did, in minutes before now. */
interface Session {
  readonly id: string;
  readonly agent: string;
  readonly project: string;
  readonly branch: string;
  readonly did: readonly (readonly [minutes: number, input: Readonly<Record<string, unknown>>])[];
}

const prompt = (text: string) => ({ hook_event_name: 'UserPromptSubmit', prompt: text });
const done = (text: string) => ({ hook_event_name: 'Stop', last_assistant_message: text });
const waits = (text: string) => ({
  hook_event_name: 'Notification',
  notification_type: 'permission_prompt',
  message: text,
});

const SESSIONS: readonly Session[] = [
  {
    id: 'f6aa',
    agent: 'claude',
    project: 'payments',
    branch: 'ledger',
    did: [[26, prompt('add the ledger, with a migration')]],
  },
  {
    id: 'c3f1',
    agent: 'claude',
    project: 'search',
    branch: 'smaller-index',
    did: [
      [34, prompt('make the index smaller')],
      [12, waits('Claude needs your permission to use WebFetch')],
    ],
  },
  {
    id: '01a1',
    agent: 'codex',
    project: 'web',
    branch: 'dark-theme',
    did: [[7, prompt('add a dark theme to the settings page')]],
  },
  {
    id: '7b20',
    agent: 'droid',
    project: 'billing',
    branch: 'fix/rounding',
    did: [[21, prompt('find out why invoices are off by a cent')]],
  },
  {
    id: '9d44',
    agent: 'claude',
    project: 'infra',
    branch: 'main',
    did: [
      [58, prompt('move the staging cluster to the new network')],
      [41, { hook_event_name: 'SessionEnd', reason: 'error' }],
    ],
  },
  {
    id: 'a811',
    agent: 'claude',
    project: 'parser',
    branch: 'keep-comments',
    did: [
      [66, prompt('keep comments when a file is printed')],
      [49, done('The parser now keeps comments, and the printer puts them back. All 214 tests pass.')],
    ],
  },
  {
    id: 'e052',
    agent: 'codex',
    project: 'web',
    branch: 'main',
    did: [
      [93, prompt('why is the first page slow?')],
      [
        80,
        done('The first page loads the charts it does not show. I moved them to a chunk of their own: 310 KB less.'),
      ],
    ],
  },
  {
    id: 'b9c7',
    agent: 'claude',
    project: 'payments',
    branch: 'retry-in-client',
    did: [
      [140, prompt('one retry, in the client')],
      [118, done('I moved the retry into the client and removed two copies of it.')],
    ],
  },
];

/** Its daemon and the service run until the test has ended. */
export async function shownHome(): Promise<{ readonly home: string; readonly daemon: RunningDaemon }> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  sandbox.changeControls({ maxAutonomyLevel: 'high', sandbox: { enabled: false } });
  const home = homeWith(`${serviceSettings(sandbox.baseUrl, sandbox.appUrl, sandbox.apiKey)}${SETTINGS}`);
  const daemon = await startDaemon(home);
  const now = Date.now();
  const folder = (project: string, branch: string): string => {
    const path = join(home, 'src', branch === 'main' ? project : `${project}-${branch.replace('/', '-')}`, project);
    mkdirSync(join(path, '.git'), { recursive: true });
    writeFileSync(join(path, '.git', 'HEAD'), `ref: refs/heads/${branch}\n`);
    return path;
  };
  const inputs = SESSIONS.flatMap(({ id, agent, project, branch, did }) =>
    did.map(([minutes, input]) => ({
      minutes,
      agent,
      input: { session_id: id, cwd: folder(project, branch), ...input },
    })),
  );
  for (const { minutes, agent, input } of inputs.sort((a, b) => b.minutes - a.minutes))
    spool(home, input, now - minutes * MINUTE, { agent });
  const asks = {
    ...permission('f6aa', 'npm run migrate -- --env staging'),
    cwd: folder('payments', 'ledger'),
  };
  await startWaiting(home, asks);
  return { home, daemon };
}
