// What `setup` does: everything found, or what the user picks.
import type { Obstacle } from '../../../../installers/answer-entries.ts';
import type { Agent } from '../../../model/agent/agent.ts';
import type { ChannelType } from '../../../model/channel/channel.ts';
import { conditionsOf } from '../answer/when-answerable.ts';
import { answered, folded } from '../channel/ask-settings.ts';
import type { Io } from '../../io.ts';
import { type AskedChannel, askChannels } from './ask-channels.ts';
import type { ChannelHere } from './channels-here.ts';

/** An agent that could also be answered from elsewhere. */
export interface Offered {
  readonly agent: Agent;
  /** Why nothing would be installed for that now, as its version is too old or not known; null: it would. */
  readonly obstacle: Obstacle | null;
}

/** What was found on this machine. */
export interface Found {
  readonly agents: readonly Agent[];
  /** Those of them that could also be answered from elsewhere. */
  readonly offered: readonly Offered[];
  /** Channels that work right away. */
  readonly channels: readonly ChannelHere[];
  readonly service: boolean;
}

/** What was chosen of it. */
export interface Choice extends Found {
  /** Agents that are to be answered from elsewhere. */
  readonly answered: readonly Agent[];
  /** Channels that were asked for besides, and tested. */
  readonly asked: readonly AskedChannel[];
}

/** What config.toml says of channels. */
export interface Configured {
  /** It has channels of its own, which stay. */
  readonly defined: boolean;
  readonly names: readonly string[];
  /** Types that can be added. */
  readonly offered: readonly ChannelType[];
}

interface Option {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** Size of a terminal that does not say its own. */
const ROWS = 24;
const COLUMNS = 80;

/** Asks on the terminal. Throws `Cancelled`; nothing is written either way. */
export async function choose(io: Io, found: Found, configured: Configured): Promise<Choice> {
  const { confirm } = await import('@clack/prompts');
  // A terminal that does not say its size would be shown one option and dots.
  const output = process.stdout;
  if (!output.rows) Object.assign(output, { rows: ROWS, columns: output.columns || COLUMNS });

  const names = await pick(
    'Which agents should notify you?',
    found.agents.map(({ name, title }) => ({ value: name, label: title })),
    found.agents.map(({ name }) => name),
    'You selected no agent (Space selects), so no hook is installed. Go on?',
  );
  // What is in the way of the others is said at the end, with what to do about it.
  const offered = found.offered.filter(({ agent, obstacle }) => obstacle === null && names.includes(agent.name));
  const answering = await pick(
    `Which of them do you want to answer from elsewhere, too: allow, deny, reply? ${promptWords(offered)} (Enter: none)`,
    offered.map(({ agent }) => offeredOption(agent)),
    [],
    null,
  );
  const picked = await pickChannels(found.channels, configured);
  const service =
    found.service &&
    (await answered(confirm({ message: 'Start the daemon when you log in? (If not, a hook starts it.)' })));
  // Last, since nobody should have to do this twice.
  const asked = await askChannels(io, picked.others);
  return {
    agents: found.agents.filter(({ name }) => names.includes(name)),
    offered,
    answered: offered.flatMap(({ agent }) => (answering.includes(agent.name) ? [agent] : [])),
    channels: picked.here,
    asked,
    service,
  };
}

/** What becomes of their own prompts. */
function promptWords(offered: readonly Offered[]): string {
  const held = offered.flatMap(({ agent }) => (agent.answering?.holds === true ? [agent.title] : []));
  if (held.length === 0) return 'Their own prompts stay usable.';
  const names = new Intl.ListFormat('en-GB').format(held);
  return `Their own prompts stay usable; only after \`belfry away\`, until you are back, ${names} may wait for your answer without showing a prompt.`;
}

/** With when it can be answered, where that is not always. */
function offeredOption(agent: Agent): Option {
  const { name: value, title } = agent;
  const when = conditionsOf(agent);
  return { value, label: title, ...(when === '' ? {} : { hint: when }) };
}

/** Those that work right away, and those that have to be asked for. */
async function pickChannels(
  found: readonly ChannelHere[],
  { defined, names, offered }: Configured,
): Promise<{ readonly here: readonly ChannelHere[]; readonly others: readonly ChannelType[] }> {
  const here = defined ? [] : found;
  const types = here.map(({ type }) => type);
  const others = offered.filter(({ type }) => !types.includes(type));
  const picked = await pick(
    defined
      ? `You have ${names.join(', ') || 'no channel'}. Add another way to notify you? (Enter: no)`
      : 'How should Belfry notify you?',
    [
      ...here.map(({ type, summary }) => ({ value: type, label: type, hint: summary })),
      ...others.map(({ type, docs }) => ({
        value: type,
        label: type,
        hint: docs.summary,
      })),
    ],
    types,
    defined ? null : 'You selected no channel (Space selects), so nothing will reach you until you add one. Go on?',
  );
  return {
    here: here.filter(({ type }) => picked.includes(type)),
    others: others.filter(({ type }) => picked.includes(type)),
  };
}

/** `without`: asked before going on with nothing selected; null: that is as good. */
async function pick(
  message: string,
  options: readonly Option[],
  initial: readonly string[],
  without: string | null,
): Promise<string[]> {
  const { confirm, multiselect } = await import('@clack/prompts');
  for (let initialValues = [...initial]; options.length > 0; initialValues = []) {
    const picked = await answered(
      multiselect({ message: folded(message), options: [...options], initialValues, required: false }),
    );
    const sure =
      picked.length > 0 || without === null || (await answered(confirm({ message: without, initialValue: false })));
    if (sure) return picked;
  }
  return [];
}
