// What `setup` installs: everything found, or what the user picks.
import type { Agent } from '../../model/agent.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import type { ChannelHere } from './channels-here.ts';

/** What was found, or what was chosen of it. */
export interface Choice {
  readonly agents: readonly Agent[];
  readonly channels: readonly ChannelHere[];
  readonly service: boolean;
}

/** Asks on the terminal, at most three questions. `config`: settings exist already, so channels are not asked for. */
export async function choose(found: Choice, config: boolean): Promise<Choice> {
  const { confirm, isCancel, multiselect } = await import('@clack/prompts');
  const answered = <T>(answer: T): Exclude<T, symbol> => {
    if (isCancel(answer)) throw new UserError('stopped; nothing was changed', EXIT.other);
    return answer as Exclude<T, symbol>; // the only symbol is a cancelled prompt
  };
  const pick = async (
    message: string,
    options: { value: string; label: string; hint?: string }[],
  ): Promise<string[]> => {
    if (options.length === 0) return [];
    const initialValues = options.map(({ value }) => value);
    return answered(await multiselect({ message, options, initialValues, required: false }));
  };
  const agents = await pick(
    'Which agents shall tell you?',
    found.agents.map(({ name, title }) => ({ value: name, label: title })),
  );
  const channels = config
    ? []
    : await pick(
        'How do you want to be told?',
        found.channels.map(({ type, summary }) => ({ value: type, label: type, hint: summary })),
      );
  const service =
    found.service &&
    answered(await confirm({ message: 'Run the daemon from log-in on? (A hook starts it otherwise.)' }));
  return {
    agents: found.agents.filter(({ name }) => agents.includes(name)),
    channels: found.channels.filter(({ type }) => channels.includes(type)),
    service,
  };
}
