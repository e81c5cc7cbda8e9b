// A home as a person has it on an ordinary afternoon, for pictures: several agents in several repositories, one asks, some wait, some are done.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { permission, startWaiting } from './answering.ts';
import { hourIn } from './hours.ts';
import { hook, type RunningDaemon, startDaemon } from './programs.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { serviceSettings } from './service-home.ts';
import { homeWith, spool } from './thread.ts';

/** A channel that people look at. */
const chat = (name: string, { url }: Receiver): string =>
  `[channels.${name}]\ntype = "slack"\nurl = "${url}/services/${name}"\nallow_private = true\n`;

const SETTINGS = `
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
hours = ["${hourIn(8)}-${hourIn(16)}"]
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
    id: 'c81e',
    agent: 'claude',
    project: 'docs',
    branch: 'guides',
    did: [
      [39, prompt('tidy the guides')],
      [
        36,
        {
          hook_event_name: 'StopFailure',
          error: 'rate_limit',
          last_assistant_message: 'You have reached your 5-hour limit; it resets at 18:00.',
        },
      ],
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

const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command, description: 'As you asked' } });

/** What waits for an answer. */
const ASKS: readonly {
  readonly session: string;
  readonly project: string;
  readonly branch: string;
  readonly input: Readonly<Record<string, unknown>>;
}[] = [
  {
    session: 'f6aa',
    project: 'payments',
    branch: 'ledger',
    input: bash(
      'npm run migrate -- --env staging && npm test -- --run ledger | tee ../ledger.log; git push --force origin ledger',
    ),
  },
  { session: 'b100', project: 'search', branch: 'main', input: bash('npm ci && npm run build') },
  { session: 'b101', project: 'web', branch: 'a11y', input: bash('npm ci && npm run build') },
  { session: 'b102', project: 'docs', branch: 'main', input: bash('npm ci && npm run build') },
  {
    session: 'c200',
    project: 'billing',
    branch: 'fix/rounding',
    input: {
      tool_name: 'Edit',
      tool_input: {
        file_path: '/src/billing/src/invoice.ts',
        old_string:
          'export function total(lines: Line[]): number {\n  let sum = 0;\n  for (const line of lines) sum += Math.round(line.price * line.count);\n  return sum;\n}',
        new_string:
          'export function total(lines: Line[]): number {\n  let sum = 0;\n  for (const line of lines) sum += line.price * line.count;\n  // Once, at the end: cents are not lost on the way.\n  return Math.round(sum);\n}',
      },
    },
  },
  {
    session: 'd300',
    project: 'infra',
    branch: 'main',
    input: {
      tool_name: 'AskUserQuestion',
      tool_input: {
        questions: [
          {
            question: 'Which database should the staging cluster use?',
            header: 'Database',
            options: [
              { label: 'Keep PostgreSQL 15', description: 'Nothing changes; security updates end in November 2027.' },
              { label: 'PostgreSQL 17', description: 'About ten minutes of downtime while it is upgraded.' },
              {
                label: 'A managed one',
                description: 'Costs about 90 dollars a month more, and nobody has to look after it.',
              },
            ],
          },
        ],
      },
    },
  },
  {
    session: 'e400',
    project: 'parser',
    branch: 'keep-comments',
    input: {
      tool_name: 'ExitPlanMode',
      tool_input: {
        plan: '# Keep comments when a file is printed\n\nThe printer drops every comment because the tree has **no place** for them.\n\n## Steps\n\n1. Attach each comment to the node after it, in `parser/attach.ts`\n2. Print them in `printer/node.ts`:\n   - leading ones on lines of their own\n   - trailing ones behind the node\n3. Tests for each of the *four* positions\n\n```ts\ninterface Node {\n  comments: readonly Comment[];\n}\n```\n\n| position | today | then |\n|---|---|---|\n| leading | lost | kept |\n| trailing | lost | kept |\n\nNothing else changes; the golden files do.',
      },
    },
  },
];

/** Its daemon and the service run until the test has ended. */
export async function shownHome(): Promise<{ readonly home: string; readonly daemon: RunningDaemon }> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  sandbox.changeControls({ maxAutonomyLevel: 'high', sandbox: { enabled: false } });
  const [works, fails] = await Promise.all([startReceiver(), startReceiver()]);
  fails.answer = () => 403;
  const channels = [chat('desk', works), chat('phone', works), chat('team', fails)].join('');
  const service = serviceSettings(sandbox.baseUrl, sandbox.appUrl, sandbox.apiKey);
  const home = homeWith(`${service}${channels}${SETTINGS}`);
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
  // One after the other, so that they are listed in their order.
  for (const { session, project, branch, input } of ASKS) {
    const asked = { ...permission(session), cwd: folder(project, branch), ...input };
    await startWaiting(home, asked);
    await hook(home, JSON.stringify(asked), ['--agent', 'claude']);
  }
  return { home, daemon };
}
