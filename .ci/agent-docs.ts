// The pages of docs/agents/ and the plugins of clients, made from the registry of agents.
import { between, table, wrap } from './markdown.ts';
import { element } from '../installers/edit/hooks.ts';
import { wantedOf } from '../installers/hook-entries.ts';
import { agents } from '../src/agents/index.ts';
import type { Agent, AgentEvent } from '../src/model/agent/agent.ts';

const MARKERS = ['<!-- from the registry: npm run docs -->', '<!-- end of what is from the registry -->'] as const;
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

/** Of `docs.seen`. */
const isVersion = (seen: string): boolean => /^\d/.test(seen);

/** What the overview says of answering it from elsewhere. */
function answersIn({ answering, wrapping, joining }: Agent): string {
  if (answering === undefined) return 'no';
  const way = answering.holds === true ? 'while you are away' : 'beside its own prompt';
  const besides = wrapping || joining ? ', or beside its own prompt' : '';
  return `${way}${besides}, from ${answering.since}`;
}

/** One row an agent. */
function overview(): string {
  return table(
    ['agent', 'settings file', 'tested with', 'answered from elsewhere'],
    agents.map((agent) => [
      `[${agent.name}](${agent.name}.md)`,
      `${fileOf(agent)}${secondFiles(agent)}`,
      agent.docs.seen,
      answersIn(agent),
    ]),
  );
}

function eventsOf(agent: Agent): string[] {
  if (agent.events.length === 0) return [];
  const rows = agent.events.map((event) => [
    `\`${event.name}\``,
    event.becomes,
    [
      event.role === 'notify' ? 'always' : 'unless `--minimal`',
      ...(event.since === undefined ? [] : [`from version ${event.since}`]),
      ...(event.timeout === undefined ? [] : [`cut off after ${event.timeout} s`]),
    ].join(', '),
  ]);
  return ['## Events', table(['event', 'becomes', 'installed'], rows)];
}

function reasonsOf(agent: Agent): string[] {
  const reasons = Object.entries(agent.docs.reasons);
  if (reasons.length === 0) return ['It does not report the end of a session.'];
  const rows = reasons.map(([reason, meaning]) => [
    `\`${reason}\``,
    meaning,
    agent.abnormalReasons.includes(reason) ? 'yes' : 'no',
  ]);
  return [table(['end reason', 'in practice', 'abnormal'], rows)];
}

const fileBelow = (path: (at: { home: string; env: Record<string, string> }) => string): string =>
  `\`${path({ home: HOME, env: {} }).replace(HOME, '~')}\``;

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const ANSWERING = '[Answering](../guide/answering.md)';

/** How it is answered from elsewhere. */
function answeringOf({ name, answering, joining, wrapping }: Agent): string {
  if (answering === undefined) return 'You cannot answer it from elsewhere. Answer in its terminal.';
  const can = `\`belfry install ${name} --answer\` lets you answer it from elsewhere. That needs version ${answering.since} or newer.`;
  const { inside } = answering;
  if (inside) {
    const what = inside.file === null ? 'Its plugin' : `An extension, ${fileBelow(inside.file.user)},`;
    const needs = inside.needs === null ? '' : ` ${capitalized(inside.needs.todo)}.`;
    return `${can} ${what} passes ${inside.asks} on to you while the agent's own prompt stays usable. No hook waits.${needs} See ${ANSWERING}.`;
  }
  const entries = answering.entries.flatMap(({ event, terminal }) => (terminal === true ? [] : [`\`${event}\``]));
  const waits = `a hook for ${entries.join(' and ')} waits for your answer`;
  const how =
    answering.holds === true
      ? 'and blocks the terminal, so it waits only after `belfry away`'
      : "while the agent's own prompt stays usable";
  const joined =
    joining === undefined
      ? `${capitalized(waits)} ${how}.`
      : `The agent's own prompt stays usable for ${joining.answers}. These go through ${joining.through}. Otherwise ${waits} ${how}.`;
  const started =
    wrapping === undefined
      ? ''
      : ` If you start it with \`belfry run ${name}\`, it needs no \`--answer\`, and its own prompt stays usable for ${wrapping.answers}.`;
  return `${can} ${joined}${started} See ${ANSWERING}.`;
}

/** Where npm puts the plugin of an agent, as one word of the shell. */
export const pluginFolder = ({ name }: Agent): string => `"$(npm root --global)/belfry/installers/plugins/${name}"`;

/** How it is had as a plugin. */
function pluginOf(agent: Agent): string[] {
  const { plugin } = agent;
  if (plugin === undefined) return [];
  const away = agent.answering === undefined ? '' : ` You cannot answer from elsewhere through the ${plugin.called}.`;
  const an = plugin.called === 'plugin' ? 'a plugin' : 'an extension';
  const open = agent.events.some(({ role }) => role === 'signal')
    ? ' A prompt that you have answered counts as open until the next event.'
    : '';
  const lines = (all: readonly string[]): string => `\`\`\`sh\n${all.join('\n')}\n\`\`\``;
  return [
    `## As ${an}`,
    wrap(
      `Instead of running \`belfry install ${agent.name}\`, you can add Belfry as ${an} with the agent's own commands. First [install the package](../guide/install.md), so that \`belfry-hook\` is on your PATH. Where it is missing, the ${plugin.called} does nothing.${away}${open} If you have both, two reports of an event within 1.5 s make one notification.`,
    ),
    lines(plugin.install(pluginFolder(agent))),
    ...(plugin.remove.length === 0 ? [] : ['To remove it:', lines(plugin.remove)]),
    ...(plugin.notes.length === 0 ? [] : [wrap(plugin.notes.join(' '))]),
  ];
}

/** A value on one line. */
function inline(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  return `{ ${Object.entries(value)
    .map(([key, of]) => `${JSON.stringify(key)}: ${inline(of)}`)
    .join(', ')} }`;
}

/** A value whose objects of the first levels have a line for each key. */
function spread(value: unknown, levels: number, indent = ''): string {
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return inline(value);
  const lines = Object.entries(value).map(
    ([key, of]) => `${indent}  ${JSON.stringify(key)}: ${spread(of, levels - 1, `${indent}  `)}`,
  );
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

/** What somebody pastes who does not use `belfry install`; clients that load a module take the file that `--dry-run` prints. */
function pasteOf(agent: Agent): string[] {
  if (agent.settings === null || agent.settings.module) return [];
  const newer = unguarded(agent).filter((event) => event.since !== undefined);
  const names = newer.map(({ name, since }) => `\`${name}\` is known from ${since} on`).join(', ');
  const caution =
    newer.length === 0
      ? ''
      : ` Leave out what your version does not know: older ones drop the whole file over an unknown name. ${names}.`;
  return [
    `## ${agent.title}`,
    wrap(`Into ${fileOf(agent)}.${caution}`),
    `\`\`\`json\n${spread(JSON.parse(snippet(agent)), agent.settings.hooksPath.length + 1)}\n\`\`\``,
  ];
}

/** docs/contributing/hook-settings.md. */
export function renderHookSettings(): string {
  const about =
    "What to paste into each agent's settings instead of running `belfry install`. Made by `npm run docs`. For an agent that loads a module, `belfry install NAME --dry-run` prints the file.";
  return `${['# Hook settings', wrap(about), ...agents.flatMap(pasteOf)].join('\n\n')}\n`;
}

/** How a command that it runs is recognized. */
function commandsOf({ commandsRunBy, commandVariables }: Agent): string {
  const variables = commandVariables.map((name) => `\`${name}\``).join(' or ');
  const known =
    variables === ''
      ? ''
      : `If a command has ${variables} in its environment, Belfry takes it as run by the agent. Such a command [may not answer](../guide/answering.md#commands-that-agents-may-not-run).`;
  return commandsRunBy === undefined ? known : `${known} A terminal in its editor is yours.`;
}

function made(agent: Agent): string {
  const project = agent.settings?.project ?? null;
  const places = agent.settings
    ? `\`belfry install ${agent.name}\` edits ${fileOf(agent)}${secondFiles(agent)}${project === null ? '' : `; with \`--project\`, it edits \`${project}\` in the current folder`}. Timeouts in this file are in ${agent.settings.timeoutUnit}.`
    : 'There is nothing to install: pipe one JSON object into `belfry-hook`, or run `belfry send`.';
  const seen = isVersion(agent.docs.seen)
    ? `Tested with version ${agent.docs.seen}.`
    : `${capitalized(agent.docs.seen)}.`;
  return [
    wrap(`${seen} ${places}`),
    ...eventsOf(agent),
    ...reasonsOf(agent),
    '## Answering from elsewhere',
    wrap(`${answeringOf(agent)} ${commandsOf(agent)}`),
    ...pluginOf(agent),
    ...(agent.limits === undefined ? [] : ['## Usage limits', wrap(agent.limits.tells)]),
    '## Limits',
    agent.docs.cannot.map((text) => wrap(text, '- ')).join('\n'),
  ].join('\n\n');
}

/** The page of an agent with its generated part as the registry is now; a new one has nothing else. */
export function renderAgentPage(agent: Agent, page: string | null): string {
  const [begin, end] = MARKERS;
  return between(page ?? `# ${agent.title}\n\n${begin}\n${end}\n`, MARKERS, made(agent));
}

/** docs/agents/README.md with the table of all agents. */
export const renderAgentIndex = (page: string): string => between(page, MARKERS, overview());

/** Files of the plugins below installers/plugins/, by path. */
export function renderPlugins(version: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    agents.flatMap((agent) => {
      if (agent.plugin === undefined) return [];
      const description = `Notifies people when ${agent.title} needs them, finishes or crashes. Needs belfry-hook on the PATH: npm install --global belfry.`;
      const hooks = agent.settings?.module ? null : (JSON.parse(snippet(agent)) as Readonly<Record<string, unknown>>);
      const files = agent.plugin.files({ version, description, hooks, command: pasted(agent, null) });
      return Object.entries(files).map(([path, content]) => [
        `${agent.name}/${path}`,
        typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`,
      ]);
    }),
  );
}
