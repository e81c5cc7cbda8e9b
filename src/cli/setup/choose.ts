// What `setup` does: everything found, or what the user picks.
import { addressFault } from '../../lib/outbound-url.ts';
import type { Agent } from '../../model/agent.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import type { AddressChannel, ChannelHere } from './channels-here.ts';

/** What was found, or what was chosen of it. */
export interface Choice {
  readonly agents: readonly Agent[];
  readonly channels: readonly ChannelHere[];
  readonly service: boolean;
}

interface Option {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** Size of a terminal that does not say its own. */
const ROWS = 24;
const COLUMNS = 80;

/** Asks on the terminal. `addressed`: channels to offer besides; null: config.toml has channels, so none are asked for. */
export async function choose(found: Choice, addressed: readonly AddressChannel[] | null): Promise<Choice> {
  const { confirm, isCancel, multiselect, password, text } = await import('@clack/prompts');
  const answered = <T>(answer: T): Exclude<T, symbol> => {
    if (isCancel(answer)) throw new UserError('cancelled; nothing was changed', EXIT.other);
    return answer as Exclude<T, symbol>; // a symbol stands for nothing but that
  };
  // A terminal that does not say its size would be shown one option and dots.
  const output = process.stdout;
  if (!output.rows) Object.assign(output, { rows: ROWS, columns: output.columns || COLUMNS });
  const pick = async (message: string, options: Option[], initial: string[], without: string): Promise<string[]> => {
    for (let initialValues = initial; options.length > 0; initialValues = []) {
      const picked = answered(await multiselect({ message, options, initialValues, required: false }));
      const sure = picked.length > 0 || answered(await confirm({ message: without, initialValue: false }));
      if (sure) return picked;
    }
    return [];
  };
  const address = async ({ type, secret, at }: AddressChannel): Promise<ChannelHere> => {
    const message = `Address for ${type} (https://...)`;
    const validate = (typed: string | undefined) => addressFault((typed ?? '').trim()) ?? undefined;
    return at(answered(await (secret ? password({ message, validate }) : text({ message, validate }))).trim());
  };

  const names = await pick(
    'Which agents should notify you?',
    found.agents.map(({ name, title }) => ({ value: name, label: title })),
    found.agents.map(({ name }) => name),
    'You selected no agent (Space selects), so no hook is installed. Go on?',
  );
  const channels: ChannelHere[] = [];
  if (addressed) {
    const here = found.channels.map(({ type }) => type);
    const others = addressed.filter(({ type }) => !here.includes(type));
    const picked = await pick(
      'How should Belfry notify you?',
      [
        ...found.channels.map(({ type, summary }) => ({ value: type, label: type, hint: summary })),
        ...others.map(({ type }) => ({ value: type, label: `${type} (asks for its address)` })),
      ],
      here,
      'You selected no channel (Space selects), so nothing will reach you until you add one. Go on?',
    );
    channels.push(...found.channels.filter(({ type }) => picked.includes(type)));
    for (const other of others) if (picked.includes(other.type)) channels.push(await address(other));
  }
  const service =
    found.service &&
    answered(await confirm({ message: 'Start the daemon when you log in? (If not, a hook starts it.)' }));
  return { agents: found.agents.filter(({ name }) => names.includes(name)), channels, service };
}
