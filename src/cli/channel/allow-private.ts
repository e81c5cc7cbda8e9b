// Leave to send to this machine or its network, which channels refuse otherwise: asked for, or said when it is given.
import { isLocalUrl } from '../../lib/local-url.ts';
import { bareHost } from '../../lib/outbound-url.ts';
import type { SetupAnswers } from '../../model/channel-setup.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { textsIn } from '../../model/secret-fields.ts';
import { answered, promptText } from './ask.ts';

/** The answers, with `allow_private` where an address needs it. UserError where nobody agrees. `yes`: whoever started it does. */
export async function withPrivateAllowed(
  answers: SetupAnswers,
  {
    interactive,
    yes,
    show,
  }: { readonly interactive: boolean; readonly yes: boolean; readonly show: (line: string) => void },
): Promise<SetupAnswers> {
  const local = textsIn(answers).find(({ value }) => isLocalUrl(value));
  if (local === undefined || answers['allow_private'] !== undefined) return answers;
  const what = `${bareHost(new URL(local.value))} is on this machine or its network`;
  if (interactive) {
    const { confirm } = await import('@clack/prompts');
    const message = await promptText(`${what}. Allow this channel to send there (allow_private = true)?`);
    if (!(await answered(confirm({ message }))))
      throw new UserError(`${what}: nothing is sent there without allow_private; nothing was changed`);
  } else if (yes) show(`${what}: allow_private = true lets this channel send there`);
  else
    throw new UserError(
      `${what}: add --set allow_private=true to let the channel send there; nothing was changed`,
      EXIT.usage,
    );
  return { ...answers, allow_private: true };
}
