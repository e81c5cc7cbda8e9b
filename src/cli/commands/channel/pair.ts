// The settings that only the service can tell, found by the channel's own pairing.
import type { ChannelType } from '../../../model/channel/channel.ts';
import type { PairingTools, SetupAnswers } from '../../../model/channel/setup.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { faultsOf } from './parse-answers.ts';
import { resolveAnswers } from './resolve-secrets.ts';
import { readConfig } from '../../../config/load.ts';
import { resolveChannels } from '../../../daemon/channels/resolve-channels.ts';
import { asObject } from '../../../lib/json/json.ts';
import { capabilitiesOf } from '../../../model/channel/capabilities.ts';
import { runningDaemon } from '../../../runtime/daemon-file.ts';
import type { Paths } from '../../../runtime/paths.ts';

/** Longest wait for a person to take up the other device, ms. */
const PATIENCE = 5 * 60_000;

/** The answers with what pairing found; unchanged where they are complete, or the channel needs none. UserError where it fails. */
export async function pairedSettings(
  channel: ChannelType,
  answers: SetupAnswers,
  at: PairingPlace,
  { show, showLink }: Pick<PairingTools, 'show' | 'showLink'>,
): Promise<SetupAnswers> {
  const { pairing } = channel.setup;
  if (!pairing || pairing.finds.every((key) => answers[key] !== undefined)) return answers;
  const isIncomplete = faultsOf(channel, answers).some((fault) =>
    pairing.finds.some((key) => fault.startsWith(`${key}:`)),
  );
  if (!isIncomplete) return answers;
  const known = await resolveAnswers(channel, answers, at.env);
  await assertNobodyListens(channel, known, at);
  const paired = await pairing.run(known, { now: Date.now, signal: AbortSignal.timeout(PATIENCE), show, showLink });
  if (!paired.ok) throw new UserError(`${paired.error}; nothing was changed`, EXIT.refused);
  show(paired.summary);
  return { ...answers, ...paired.settings };
}

/** Where the settings and the daemon would be. */
interface PairingPlace {
  readonly paths: Paths;
  readonly env: NodeJS.ProcessEnv;
}

/** UserError with what to do where a configured channel listens with the same setting. `answers`: secrets resolved. */
async function assertNobodyListens(
  channel: ChannelType,
  answers: SetupAnswers,
  { paths, env }: PairingPlace,
): Promise<void> {
  const key = channel.setup.pairing?.exclusive;
  if (key === undefined || runningDaemon(paths) === null) return;
  const loaded = await readConfig(paths);
  if (!loaded.ok) return; // said where it is written
  for (const { name, channel: other, settings } of (await resolveChannels(loaded.config, env)).values()) {
    const isSame = other.type === channel.type && asObject(settings)[key] === answers[key];
    if (isSame && capabilitiesOf(other, settings).receive)
      throw new UserError(
        `the daemon listens with this ${key} for channels.${name}, and the service lets one program listen: ` +
          'run `belfry daemon stop` first, and `belfry daemon start` when you have paired (nothing was changed)',
        EXIT.refused,
      );
  }
}
