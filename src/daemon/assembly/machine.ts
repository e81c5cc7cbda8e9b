// What the daemon is given of the machine around it: the ways to people, files, processes, and who sits there.
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import type { ConfiguredChannel } from '../../delivery/index.ts';
import { type Files, filesOfThisMachine } from '../../files/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Config } from '../../model/settings/config.ts';
import {
  createDetection,
  createDoNotDisturb,
  createPromptWindow,
  DETECTORS,
  type Detection,
} from '../../presence/index.ts';
import { servedChannels } from '../channels/last-resort.ts';
import type { Log } from '../shared/log.ts';
import { createProcessInspector, type ExitedElsewhere, type ProcessInspector } from '../sessions/process-inspector.ts';

/** Everything that is not Belfry's own; whoever records what the daemon does hands in parts of it. */
export interface Outside {
  /** The channels of these settings that get a worker, by name. */
  readonly channels: (
    config: Config,
    env: Readonly<Record<string, string | undefined>>,
  ) => Promise<ReadonlyMap<string, ConfiguredChannel>>;
  /** Looks at what others name: working folders, transcripts. */
  readonly files: Files;
  readonly inspector: ProcessInspector;
  readonly detect: Detection;
  /** Whether "do not disturb" is on here. */
  readonly doNotDisturb: () => Promise<boolean>;
  readonly promptWindow: ReturnType<typeof createPromptWindow>;
  /** From 0 to 1, for the distance between retries. */
  readonly random: () => number;
}

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The daemon's own file. */
  readonly program: string;
}

/** The machine that this process runs on. */
export function thisMachine(
  { env, home, clock, log, program }: Surroundings,
  exitedElsewhere: ExitedElsewhere,
): Outside {
  const { platform } = process;
  const { now } = clock;
  return {
    channels: servedChannels,
    files: filesOfThisMachine(dirname(program), { clock, log }),
    inspector: createProcessInspector(platform, hostname(), now, exitedElsewhere),
    detect: createDetection(DETECTORS, { platform, env, now, steady: () => performance.now() }),
    doNotDisturb: createDoNotDisturb({ platform, env, home, now }),
    promptWindow: createPromptWindow(platform, env),
    random: Math.random,
  };
}
