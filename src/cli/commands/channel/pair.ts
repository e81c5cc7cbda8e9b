// The settings that only the service can tell, found by the channel's own pairing.
import type { ChannelType } from '../../../model/channel/channel.ts';
import type { SetupAnswers } from '../../../model/channel/setup.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { faultsOf } from './parse-answers.ts';
import { assertNobodyListens, type PairingPlace } from './listeners.ts';
import { resolveAnswers } from './resolve-answers.ts';

/** Longest wait for a person to take up the other device, ms. */
const PATIENCE = 5 * 60_000;

/** The answers with what pairing found; unchanged where they are complete, or the channel needs none. UserError where it fails. */
export async function pairedSettings(
  channel: ChannelType,
  answers: SetupAnswers,
  at: PairingPlace,
  show: (line: string) => void,
): Promise<SetupAnswers> {
  const { pairing } = channel.setup;
  if (!pairing || pairing.finds.every((key) => answers[key] !== undefined)) return answers;
  const isIncomplete = faultsOf(channel, answers).some((fault) =>
    pairing.finds.some((key) => fault.startsWith(`${key}:`)),
  );
  if (!isIncomplete) return answers;
  const known = await resolveAnswers(channel, answers, at.env);
  await assertNobodyListens(channel, known, at);
  const paired = await pairing.run(known, { now: Date.now, signal: AbortSignal.timeout(PATIENCE), show });
  if (!paired.ok) throw new UserError(`${paired.error}; nothing was changed`, EXIT.refused);
  show(paired.summary);
  return { ...answers, ...paired.settings };
}
