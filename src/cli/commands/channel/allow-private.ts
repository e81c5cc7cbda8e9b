// Leave to send to this machine or its network, which channels refuse otherwise: asked for, or said when it is given.
import { isLocalHost } from '../../../lib/net/local-url.ts';
import { allowedAddresses, bareHost, REFUSED } from '../../../lib/net/outbound-url.ts';
import type { ChannelSetup, SetupAnswers } from '../../../model/channel/setup.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { textsIn } from '../../../model/settings/secret-fields.ts';
import { answered, folded } from './ask-settings.ts';

/** How somebody can be asked. */
interface Asking {
  readonly interactive: boolean;
  /** Whoever started it agrees. */
  readonly yes: boolean;
  readonly show: (line: string) => void;
}

/** The answers, with `allow_private` where a host of theirs needs it. UserError where nobody agrees. */
export async function withPrivateAllowed(
  answers: SetupAnswers,
  { hosts }: Pick<ChannelSetup, 'hosts'>,
  { interactive, yes, show }: Asking,
): Promise<SetupAnswers> {
  if (answers['allow_private'] !== undefined) return answers;
  const named = textsIn(answers).flatMap(({ value }) => (URL.canParse(value) ? [bareHost(new URL(value))] : []));
  const host = await firstPrivate([...named, ...(hosts?.(answers) ?? [])].filter((name) => name !== ''));
  if (host === null) return answers;
  const what = `${host} is on this machine or its network`;
  if (interactive) {
    const { confirm } = await import('@clack/prompts');
    const message = folded(`${what}. Allow this channel to send there (allow_private = true)?`);
    if (!(await answered(confirm({ message }))))
      throw new UserError(`${what}: nothing is sent there without allow_private; nothing was changed`);
  } else if (yes) show(`${what}: allow_private = true lets this channel send there, and was set`);
  else
    throw new UserError(
      `${what}: add --set allow_private=true to let the channel send there; nothing was changed`,
      EXIT.usage,
    );
  return { ...answers, allow_private: true };
}

/** The first that channels would refuse: as it is written, or by the addresses it has here. */
async function firstPrivate(hosts: readonly string[]): Promise<string | null> {
  for (const host of hosts) if (isLocalHost(host) || (await resolvesPrivately(host))) return host;
  return null;
}

/** False for a name that is not known here: its check says so. */
async function resolvesPrivately(host: string): Promise<boolean> {
  try {
    await allowedAddresses(host, false);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === REFUSED;
  }
}
