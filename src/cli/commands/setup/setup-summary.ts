// What `setup` did, in five lines; what to do where no channel works.
import type { Installed, NotDone } from '../../../../installers/for-agents.ts';
import type { Obstacle } from '../../../../installers/answer-entries.ts';
import type { StoredSecret } from '../../../config/secrets/secret-store.ts';
import type { Paths } from '../../../runtime/paths.ts';
import type { Io } from '../../io.ts';
import { wrap } from '../../output/wrap.ts';
import { agentByName } from '../../../agents/index.ts';
import { channels } from '../../../channels/index.ts';

/** Channels that can carry answers: those that do, and those that need only be named for it. */
export interface Carriers {
  readonly named: readonly string[];
  readonly others: readonly string[];
  /** Why nothing may be answered from elsewhere; null: some may. */
  readonly off: string | null;
}

/** What was done. */
export interface SetupResult {
  readonly config: 'created' | 'extended' | 'kept';
  readonly agents: readonly (Installed | NotDone)[];
  /** By agent: why nothing would be installed to answer it from elsewhere; null: nothing is in the way. */
  readonly obstacles: ReadonlyMap<string, Obstacle | null>;
  readonly carriers: Carriers;
  /** Channels that keep records, and notify nobody. */
  readonly records: readonly string[];
  /** Where the daemon runs as a service. */
  readonly service: string | null;
  readonly secrets: readonly StoredSecret[];
  /** Variables that the settings refer to, which a daemon started later may not have. */
  readonly variables: readonly string[];
  readonly test: readonly { readonly channel: string; readonly ok: boolean; readonly error: string | null }[];
}

const CONFIG = { created: 'created', extended: 'channels added', kept: 'not changed' } as const;
const LABEL = 10;

/** Prints it; wrapped on a terminal. */
export function printSummary(
  paths: Pick<Paths, 'config'>,
  result: SetupResult,
  io: Pick<Io, 'tty' | 'columns' | 'line'>,
): void {
  const width = io.tty ? io.columns - LABEL : Infinity;
  const block = (label: string, texts: readonly string[]): void => {
    const lines = texts.flatMap((text) => wrap(text, width));
    for (const [i, line] of lines.entries()) io.line(`${(i === 0 ? label : '').padEnd(LABEL)}${line}`);
  };
  const works = result.test.some(({ ok }) => ok);
  block('Settings', [`${paths.config} (${CONFIG[result.config]})`]);
  block('Agents', agentLines(result.agents));
  const answers = answerLines(result);
  if (answers.length > 0) block('Answers', answers);
  block('Channels', [
    ...result.test.map(({ channel, ok, error }) =>
      ok
        ? `${channel}: ${result.records.includes(channel) ? 'test event recorded' : 'test notification sent'}${storedIn(channel, result.secrets)}`
        : `${channel}: failed: ${error}`,
    ),
    ...variableLines(result.variables),
  ]);
  block('Daemon', [
    result.service === null
      ? 'running; after a restart of this machine, the next hook starts it'
      : `runs as a ${result.service}, starts when you log in`,
  ]);
  const restart = result.agents.length > 0 ? 'restart open agent sessions so that they load the hooks; ' : '';
  const [recorder] = result.test.filter(({ ok }) => ok);
  const isReached = result.test.some(({ channel, ok }) => ok && !result.records.includes(channel));
  const ways = isReached
    ? 'adds ways to reach you'
    : `adds a way to reach you, for ${recorder?.channel} only keeps a record`;
  if (works) block('Next', [`${restart}\`belfry channel add\` ${ways}, \`belfry doctor\` checks everything`]);
  else for (const line of noChannel(result)) io.line(line);
}

function agentLines(agents: readonly (Installed | NotDone)[]): string[] {
  const installed = agents.filter((agent) => !('error' in agent));
  const failed = agents.length - installed.length;
  const names = installed.map(({ title }) => title).join(', ');
  const head = agents.length === 0 ? 'none found: `belfry install AGENT` adds one later' : `${names}: hooks installed`;
  return [
    ...(agents.length > 0 && installed.length === 0 ? [] : [head]),
    ...(failed > 0 ? [`${failed} failed, see above`] : []),
    ...agents.flatMap((agent) => ('notes' in agent ? agent.notes.map((note) => `${agent.title}: ${note}`) : [])),
  ];
}

/** How those that can be answered from elsewhere are, or what would let them be. */
function answerLines({
  agents,
  carriers,
  obstacles,
}: Pick<SetupResult, 'agents' | 'carriers' | 'obstacles'>): string[] {
  const able = agents.filter((agent): agent is Installed => !('error' in agent) && isAbleToAnswer(agent.agent));
  if (carriers.off !== null) return able.length === 0 ? [] : [carriers.off];
  const [on, off] = [able.filter(({ answerable }) => answerable), able.filter(({ answerable }) => !answerable)];
  const titles = on.map(({ title }) => title).join(', ');
  const free = off.flatMap(({ agent }) => ((obstacles.get(agent) ?? null) === null ? [agent] : []));
  return [
    ...(on.length === 0 ? [] : [`${titles}: ${waysToAnswer(carriers)}`]),
    ...(free.length === 0
      ? []
      : [`\`belfry install ${free.join(' ')} --answer\` lets you allow, deny and reply from elsewhere`]),
    ...off.flatMap(({ agent, title, notes }) => {
      const why = obstacles.get(agent) ?? null;
      return why === null ? [] : [`${title} cannot be answered from elsewhere yet: ${whyNot(why, notes)}; ${why.todo}`];
    }),
  ];
}

/** Without the reason that a note of the same agent gives above. */
function whyNot({ text, reason }: Obstacle, notes: readonly string[]): string {
  const isSaid = reason !== null && notes.some((note) => note.includes(reason));
  return isSaid ? text.replace(` (${reason})`, '') : text;
}

function waysToAnswer({ named, others }: Carriers): string {
  const ways = ['`belfry answer`', 'the page', ...named].join(', ');
  const all = JSON.stringify([...named, ...others]);
  const more = `; ${others.join(', ')}, too, after \`belfry config set answer.channels '${all}'\``;
  return others.length === 0 ? ways : ways + more;
}

const isAbleToAnswer = (name: string): boolean =>
  process.platform !== 'win32' && agentByName(name)?.answering !== undefined;

function storedIn(channel: string, secrets: readonly StoredSecret[]): string {
  const own = secrets.filter(({ name }) => name === channel || name.startsWith(`${channel}_`));
  return own.length === 0 ? '' : `; its secret is stored in ${own.map(({ file }) => file).join(', ')} (mode 0600)`;
}

function variableLines(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [
    `The settings use ${names.join(', ')}: a daemon that is started elsewhere does not have that variable. \`belfry secret set NAME\` and "secret:NAME" keep working.`,
  ];
}

/** Exactly what to do; its lines are to be copied, so they are not wrapped. */
function noChannel({ config, test }: SetupResult): string[] {
  const own = test.some(({ error }) => error !== null && config === 'kept');
  const types = channels.filter(({ defaultSettings }) => defaultSettings === null).map(({ type }) => type);
  return [
    '',
    'No channel works yet, so nobody is notified.',
    ...(own ? ['To use the channels you have, fix the error above, then run: belfry test'] : []),
    'To add one, run one of these; it asks for what it needs and sends a test:',
    '',
    ...types.map((type) => `    belfry channel add ${type}`),
    '',
  ];
}
