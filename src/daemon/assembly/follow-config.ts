// What follows the settings, at the start and after each change of their file.
import type { InvalidConfig } from '../../config/live/initial-load.ts';
import { faultAdvice, type MachineState } from '../../config/machine/machine-config.ts';
import { applyProxy } from '../../config/proxy-setting.ts';
import { createTurns } from '../../lib/async/one-after-another.ts';
import type { HttpService } from '../shared/http-service.ts';
import { reviewHolds } from '../../decisions/batch/stale-holds.ts';
import type { Foundation } from './foundation.ts';
import type { Intake } from './intake.ts';
import type { Outgoing } from './outgoing.ts';
import type { Processing } from './processing.ts';
import type { Event } from '../../model/event/event.ts';
import { internalEvent } from '../../model/event/internal-event.ts';
import { sha256 } from '../../lib/hash.ts';

/** Parts that take over the settings in force. The start and a change follow the same settings: never both at once. */
export interface ConfigFollowers {
  readonly service: () => Promise<void>;
  readonly watches: () => Promise<void>;
  readonly http: () => Promise<void>;
  readonly presenceFile: () => Promise<void>;
  readonly remotes: () => Promise<void>;
  /** Reports a file that is invalid; never rejects. */
  readonly raiseInvalid: (invalid: InvalidConfig) => Promise<void>;
}

/** From now on changes of the settings file take effect. */
export function followConfig(
  { liveConfig, config, env, log, store, clock, outside, remotes }: Foundation,
  parts: Pick<Intake, 'raise'> &
    Pick<Outgoing, 'deliveries' | 'presenceFile' | 'recovery'> &
    Processing & { readonly http: HttpService },
): ConfigFollowers {
  const { raise, deliveries, presenceFile, service, watchScheduler, processor, http } = parts;
  const inTurn = createTurns();
  const followers: ConfigFollowers = {
    service: () => inTurn(service.refresh),
    watches: () => inTurn(watchScheduler.schedule),
    http: () => inTurn(() => http.configure(config())),
    presenceFile: () => inTurn(presenceFile.follow),
    remotes: () => inTurn(() => remotes.configure(config().remotes)),
    raiseInvalid: (invalid) =>
      raise(settingsBroken(invalid, liveConfig)).catch((error: unknown) =>
        log('an event of belfry itself could not be kept', { error: String(error) }),
      ),
  };
  liveConfig.follow({
    // First, so that whatever the new settings route finds its worker.
    prepare: async (next) => {
      const channels = await outside.channels(next, env);
      await applyProxy(next, env);
      deliveries.configure(channels);
    },
    onChange: async () => {
      const holds = async (): Promise<void> => {
        await reviewHolds(store, clock.now());
        processor.wakeTimers();
      };
      // A part that fails does not keep the others from following.
      const { service: services, watches, http: server, presenceFile: file, remotes: machines } = followers;
      for (const follow of [
        services,
        watches,
        holds,
        server,
        file,
        machines,
        parts.recovery.reconcile,
        store.noteSettings,
      ])
        await follow().catch((error: unknown) =>
          log('the new settings could not be taken over whole', { error: String(error) }),
        );
    },
    onInvalid: async (invalid) => {
      await followers.raiseInvalid(invalid);
      await store.noteSettings();
    },
  });
  return followers;
}

/** One event per invalid text: its id is made of the error and when it was first seen. */
function settingsBroken(invalid: InvalidConfig, { origin, machine, leftOut }: Foundation['liveConfig']): Event {
  if (invalid.isMachine) return machineBroken(invalid, machine());
  const valid = leftOut().length === 0 ? 'The last valid settings are' : 'What is left of the last valid settings is';
  const kept = origin() === 'defaults' ? 'The built-in settings are' : valid;
  return brokenEvent(invalid, {
    title: 'belfry: config.toml is invalid',
    body: `${invalid.line}\n${kept} used until you fix it. \`belfry config check\` shows all mistakes.`,
  });
}

/** Its users cannot correct it, and their own settings are in force. */
const machineBroken = (invalid: InvalidConfig, machine: MachineState): Event =>
  brokenEvent(invalid, {
    title: 'belfry: the machine-wide settings are invalid',
    body: `${invalid.line}\nYour own settings stay in force. Please ${faultAdvice(machine)}.`,
  });

function brokenEvent({ line, since }: InvalidConfig, presetText: { title: string; body: string }): Event {
  return internalEvent({
    id: `settings-${sha256(`${line}${since}`, 24)}`,
    kind: 'settings.broken',
    at: since,
    abnormal: true,
    presetText,
  });
}
