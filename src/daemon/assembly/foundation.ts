// What every part of the daemon is built on: store, clock, log, and the settings in force.
import { join } from 'node:path';
import { type StartedConfig, watchConfig } from '../../config/live/config-watcher.ts';
import type { InitialConfig } from '../../config/live/initial-load.ts';
import type { DecidingDeps } from '../../decisions/deciding-deps.ts';
import { createWriter, type Writer } from '../../decisions/writer.ts';
import { withFarFiles } from '../shared/far-files.ts';
import type { Files } from '../../files/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Config } from '../../model/settings/config.ts';
import type { Redactor } from '../../redaction/index.ts';
import { PROMPT_MARKER } from '../../runtime/daemon-file.ts';
import type { Paths } from '../../runtime/paths.ts';
import type { Store } from '../../store/contract.ts';
import { quarantineIn } from '../../ingest/quarantine.ts';
import { RemoteSource } from '../../sources/remote/remote-source.ts';
import { remoteOwner } from '../remotes/remote-owner.ts';
import { channelProfiles } from '../channels/channel-profiles.ts';
import { createEventBus, type EventBus } from '../shared/event-bus.ts';
import type { Log } from '../shared/log.ts';
import { createOpenPrompts, type OpenPrompts } from '../sessions/open-prompts.ts';
import { redactorFor } from '../shared/redactor-for.ts';
import { type Outside, thisMachine } from './machine.ts';

/** What the process hands in. */
export interface DaemonDeps {
  readonly paths: Paths;
  readonly initial: InitialConfig;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The daemon's own file; what it begins lies beside it. */
  readonly program: string;
  readonly log: Log;
  /** The database was found damaged while in use: the next start sets it aside. */
  readonly damaged: () => void;
  /** In place of those of this machine. */
  readonly outside?: Partial<Outside>;
}

/** That, and what is made of it alone. */
export interface Foundation extends Omit<DaemonDeps, 'damaged' | 'outside'> {
  readonly store: Store;
  readonly liveConfig: StartedConfig;
  /** The settings in force. */
  readonly config: () => Config;
  readonly redactor: () => Redactor;
  readonly bus: EventBus;
  /** The one way to write a decision. */
  readonly writer: Writer;
  readonly deciding: DecidingDeps;
  readonly openPrompts: OpenPrompts;
  readonly outside: Outside;
  /** Machines elsewhere whose agents are looked after from here. */
  readonly remotes: RemoteSource;
  /** Looks at what others name: working folders, transcripts. */
  readonly files: Files;
}

/** The settings do not follow their file yet. */
export function createFoundation(deps: DaemonDeps, store: Store): Foundation {
  const { paths, initial, clock, env, home, program, log } = deps;
  const liveConfig = watchConfig(initial, { files: paths, log, now: clock.now });
  const { config } = liveConfig;
  const remotes = new RemoteSource({
    clock,
    env,
    log,
    random: Math.random,
    owner: () => remoteOwner(paths.state),
    setAside: quarantineIn(paths.quarantine),
    promptOpen: () => openPrompts.isOpen(),
  });
  const outside = { ...thisMachine(deps, remotes.findExited), ...deps.outside };
  const files = withFarFiles(outside.files, remotes.look, clock);
  const bus = createEventBus(log);
  const openPrompts = createOpenPrompts({
    marker: join(paths.run, PROMPT_MARKER),
    store,
    log,
    elsewhere: remotes.open,
  });
  const writer = createWriter({ store, around: openPrompts.around });
  writer.onDecided((decision) => bus.publish({ type: 'decided', decision }));
  return {
    paths,
    initial,
    clock,
    env,
    home,
    program,
    log,
    store,
    liveConfig,
    config,
    outside,
    remotes,
    bus,
    openPrompts,
    writer,
    deciding: { store, writer, now: clock.now, profiles: () => channelProfiles(config()) },
    redactor: redactorFor(config),
    files,
  };
}
