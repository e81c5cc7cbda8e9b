// docs/agents/README.md and the plugins of clients, made from the registry of agents.
import { evidenceTable } from './evidence-docs.ts';
import { clientTable, scenarioTable } from './scenario-docs.ts';
import { element } from '../installers/edit/hooks.ts';
import { wantedOf } from '../installers/hook-entries.ts';
import { agents } from '../src/agents/index.ts';
import type { Agent, AgentEvent } from '../src/model/agent/agent.ts';

const BEGIN = '<!-- from the registry: npm run docs -->';
const END = '<!-- end of what is from the registry -->';
const HOME = '/home/me';

/** The command line that somebody pastes or a plugin runs: silent, and 0 even when Belfry is gone. */
const pasted = (agent: Agent, event: AgentEvent | null): string =>
  [
    `belfry-hook --agent ${agent.name}`,
    ...(event?.named ? [`--event ${event.name}`] : []),
    ...(event && agent.stdoutFor(event.name) !== null ? [`--print '${agent.stdoutFor(event.name)}'`] : []),
    '2>/dev/null || exit 0',
  ].join(' ');

/** Those for a settings file written by hand and for plugins, whose hook is Node's: it must not start after each tool. */
const unguarded = (agent: Agent): readonly AgentEvent[] => agent.events.filter(({ role }) => role !== 'signal');

/** The settings with the hooks in them, as JSON or as the module a client loads. */
export function snippet(agent: Agent, events: readonly AgentEvent[] = unguarded(agent)): string {
  const { settings } = agent;
  if (settings === null) return '';
  if (settings.module) return settings.module(pasted(agent, null));
  const hooks = Object.fromEntries(
    wantedOf(agent, settings, events, pasted).map((want) => [
      want.event,
      [element({ nested: settings.shape === 'nested' }, want)],
    ]),
  );
  const placed = settings.hooksPath.reduceRight<Record<string, unknown>>((inner, key) => ({ [key]: inner }), hooks);
  return JSON.stringify({ ...settings.requiredKeys, ...placed }, null, 2);
}

function fileOf(agent: Agent): string {
  const file = agent.settings?.user({ home: HOME, env: {}, platform: 'linux' });
  return file === undefined ? 'none: pipe its input into `belfry-hook`' : `\`${file.replace(HOME, '~')}\``;
}

function secondFiles(agent: Agent): string {
  const override = agent.settings?.override?.user({ home: HOME, env: {}, platform: 'linux' });
  return override === undefined ? '' : `, or \`${override.replace(HOME, '~')}\` where it exists`;
}

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

function overview(): string {
  return table(
    ['agent', 'settings file', 'events, and what each becomes', 'what it cannot report, and why'],
    agents.map((agent) => [
      `[${agent.name}](#${agent.name})`,
      `${fileOf(agent)}${secondFiles(agent)}`,
      agent.events
        .filter((event) => event.role === 'notify')
        .map((event) => `\`${event.name}\`: ${event.becomes}`)
        .join('<br>') || 'those of all the others, by name',
      agent.docs.cannot.join('<br>'),
    ]),
  );
}

function eventsOf(agent: Agent): string {
  if (agent.events.length === 0) return '';
  return table(
    ['event', 'becomes', 'installed'],
    agent.events.map((event) => [
      `\`${event.name}\``,
      event.becomes,
      [
        event.role === 'notify' ? 'always' : 'unless `--minimal`',
        ...(event.since === undefined ? [] : [`from version ${event.since} on`]),
        ...(event.timeout === undefined ? [] : [`cut off after ${event.timeout} s`]),
      ].join(', '),
    ]),
  );
}

function reasonsOf(agent: Agent): string {
  const reasons = Object.entries(agent.docs.reasons);
  if (reasons.length === 0) return 'It reports no end of a session.';
  return table(
    ['end reason', 'in practice', 'abnormal'],
    reasons.map(([reason, meaning]) => [
      `\`${reason}\``,
      meaning,
      agent.abnormalReasons.includes(reason) ? 'yes' : 'no',
    ]),
  );
}

const fileBelow = (path: (at: { home: string; env: Record<string, string> }) => string): string =>
  `\`${path({ home: HOME, env: {} }).replace(HOME, '~')}\``;

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function answeringOf({ name, answering, joining, wrapping }: Agent): string {
  if (answering === undefined) return 'From elsewhere: cannot be answered; answer at its terminal.';
  const can = `From elsewhere: can be answered after \`belfry install ${name} --answer\`, from version ${answering.since} on,`;
  const { inside } = answering;
  if (inside) {
    const what = inside.file === null ? 'its plugin' : `an extension, ${fileBelow(inside.file.user)}`;
    const needs = inside.needs === null ? '' : ` ${capitalized(inside.needs.todo)}.`;
    return `${can} by ${what}, which asks about ${inside.asks} while its own prompt is usable; no hook waits ([answering.md](../guide/answering.md)).${needs}`;
  }
  const waiting = answering.entries.filter(({ terminal }) => terminal !== true);
  const entries = waiting.map(({ event }) => `\`${event}\``).join(' and ');
  const how =
    answering.holds === true ? 'and holds the terminal, so only after `belfry away`' : 'while its own prompt is usable';
  const waits = `by a hook that waits for ${entries} ${how}`;
  const joined =
    joining === undefined ? '' : `${joining.answers} while its own prompt is usable, through ${joining.through}; else `;
  const started =
    wrapping === undefined
      ? []
      : [`Started by \`belfry run ${name}\`, without that: ${wrapping.answers}, while its own prompt is usable.`];
  return [
    `${can} ${joined === '' ? '' : 'that is '}${joined}${waits} ([answering.md](../guide/answering.md)).`,
    ...started,
  ].join(' ');
}

function pasteOf(agent: Agent): string[] {
  if (agent.settings === null) return [];
  const newer = unguarded(agent).filter((event) => event.since !== undefined);
  const caution =
    newer.length === 0
      ? []
      : [
          `Leave out what your version does not know (${newer.map((e) => `\`${e.name}\` from ${e.since}`).join(', ')}): older ones drop the whole file over a name.`,
        ];
  return [
    [`To paste into ${fileOf(agent)} instead of \`belfry install ${agent.name}\`:`, ...caution].join(' '),
    `\`\`\`${agent.settings.module ? 'js' : 'json'}\n${snippet(agent).trimEnd()}\n\`\`\``,
  ];
}

/** By what a command is known to be its own. */
function commandsOf({ commandsRunBy, commandVariables }: Agent): string {
  const variables = commandVariables.map((name) => `\`${name}\``).join(', ');
  const known =
    variables === ''
      ? ''
      : `What it runs is known by ${variables} in the environment: it [may not answer](../guide/answering.md#who-gives-a-command).`;
  return commandsRunBy === undefined ? known : `${known} A terminal below its editor is a person's.`.trim();
}

function section(agent: Agent): string {
  const project = agent.settings?.project ?? null;
  const places = agent.settings
    ? `Settings: ${fileOf(agent)}${secondFiles(agent)}${project === null ? '' : `; of a project (\`--project\`): \`${project}\``}. Timeouts in ${agent.settings.timeoutUnit}.`
    : 'Nothing to install: pipe one JSON object into `belfry-hook`, or call `belfry send`.';
  return [
    `### ${agent.name}`,
    `${agent.title}, ${/^\d/.test(agent.docs.seen) ? `seen with version ${agent.docs.seen}` : agent.docs.seen}. ${places}`,
    eventsOf(agent),
    reasonsOf(agent),
    answeringOf(agent),
    commandsOf(agent),
    `What it cannot report:\n\n${agent.docs.cannot.map((text) => `- ${text}`).join('\n')}`,
    ...pasteOf(agent),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The page with its generated part regenerated; what is outside the markers is kept. */
export function renderAgentDocs(page: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error('docs/agents/README.md has lost its markers');
  const parts = ['## At a glance', overview(), clientTable(), evidenceTable(agents), scenarioTable()];
  const made = [...parts, '## Agent by agent', ...agents.map(section)].join('\n\n');
  return `${page.slice(0, begin + BEGIN.length)}\n\n${made}\n\n${page.slice(end)}`;
}

/** Files of the plugins below installers/plugins/, by path. */
export function renderPlugins(version: string): Readonly<Record<string, string>> {
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  return Object.fromEntries(
    agents.flatMap((agent) => {
      if (agent.plugin === undefined) return [];
      const manifest = {
        name: 'belfry',
        version,
        description: `Notifies people when ${agent.title} needs them, finishes or crashes. Needs belfry-hook on the PATH: npm install --global belfry.`,
        author: { name: 'Belfry' },
        license: 'MIT',
      };
      const marketplace = {
        name: 'belfry',
        description: 'Belfry, the pager for coding agents',
        owner: { name: 'Belfry' },
        plugins: [{ name: 'belfry', source: './', description: manifest.description }],
      };
      const hooks: unknown = JSON.parse(snippet(agent));
      return [
        [`${agent.name}/${agent.plugin.folder}/plugin.json`, json(manifest)],
        [`${agent.name}/${agent.plugin.folder}/marketplace.json`, json(marketplace)],
        [`${agent.name}/hooks/hooks.json`, json(hooks)],
      ];
    }),
  );
}
