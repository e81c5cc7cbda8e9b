// Pairing where the service lets one program listen: not while the daemon listens there itself.
import { readConfig } from '../../../config/load.ts';
import { resolveChannels } from '../../../daemon/channels/resolve-channels.ts';
import { asObject } from '../../../lib/json.ts';
import type { ChannelType } from '../../../model/channel/channel.ts';
import { capabilitiesOf } from '../../../model/channel/capabilities.ts';
import type { SetupAnswers } from '../../../model/channel/setup.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { runningDaemon } from '../../../runtime/daemon-file.ts';
import type { Paths } from '../../../runtime/paths.ts';

/** Where the settings and the daemon would be. */
export interface PairingPlace {
  readonly paths: Paths;
  readonly env: NodeJS.ProcessEnv;
}

/** UserError with what to do where a configured channel listens with the same setting. `answers`: secrets resolved. */
export async function assertNobodyListens(
  channel: ChannelType,
  answers: SetupAnswers,
  { paths, env }: PairingPlace,
): Promise<void> {
  const key = channel.setup.pairing?.exclusive;
  if (key === undefined || runningDaemon(paths) === null) return;
  const loaded = await readConfig(paths.config);
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
