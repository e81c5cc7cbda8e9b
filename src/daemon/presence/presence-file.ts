// A file that exists while the person is at this machine, for clients that then send nothing to their phone. Kept only where the settings name it.
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { inHome } from '../../lib/files/in-home.ts';
import type { Clock } from '../../lib/clock.ts';
import { awayAt } from '../../model/presence/away.ts';
import type { Config } from '../../model/settings/config.ts';
import { HERE } from '../../model/session/whereabouts.ts';
import { placeOf, UNKNOWN_PLACE } from '../../model/session/place.ts';
import type { Detection } from '../../presence/index.ts';
import { environmentOf } from '../../presence/shared/process-environment.ts';
import type { Store } from '../../store/contract.ts';
import type { Log } from '../shared/log.ts';

/** Somebody who leaves is taken for present so long at most, ms. */
const EVERY = 30_000;
/** Cursor with the path of the file that is kept: a daemon that is killed leaves it behind. */
const CURSOR = 'presence-file';
/** Sessions without an event for longer are not asked for their terminal, ms. */
const RECENT = 12 * 3_600_000;

export interface PresenceFileDeps {
  readonly store: Pick<Store, 'machine' | 'cursor' | 'setCursor' | 'sessions'>;
  readonly clock: Clock;
  readonly config: () => Pick<Config, 'presence'>;
  readonly detect: Detection;
  /** Of the daemon: where no session is known whose terminal could be asked. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}

export interface PresenceFile {
  /** The settings may name another one, or none. Never rejects. */
  readonly follow: () => Promise<void>;
  /** Nobody keeps it any more, so it goes. */
  readonly stop: () => Promise<void>;
}

/** Nothing runs until the settings name a file. */
export function createPresenceFile(deps: PresenceFileDeps): PresenceFile {
  const { store, clock, config, log } = deps;
  let path: string | null = null;
  /** What the store has; undefined: not read yet. */
  let remembered: unknown;
  let cancel = (): void => undefined;
  let looking: Promise<void> = Promise.resolve();
  let isStopped = false;

  const failed = (error: unknown): void => log('the file of [presence] could not be kept', { error: String(error) });
  const keep = (there: boolean): void => {
    if (path === null) return;
    const trouble = there ? make(path) : remove(path);
    if (trouble !== null) failed(trouble);
  };
  /** What a daemon that was killed kept is removed where the settings name it no longer; what they name is looked at anyway. */
  const remember = async (wanted: string | null): Promise<void> => {
    if (remembered === undefined) {
      remembered = await store.cursor(CURSOR);
      const trouble = typeof remembered === 'string' && remembered !== wanted ? remove(remembered) : null;
      if (trouble !== null) failed(trouble);
    }
    if (remembered !== wanted) await store.setCursor(CURSOR, wanted);
    remembered = wanted;
  };
  const look = async (): Promise<void> => {
    const wanted = path;
    const here = await isHere(deps).catch(() => false); // unknown is not present
    if (wanted === null || wanted !== path) return;
    keep(here);
    cancel = clock.setTimer(EVERY, next);
  };
  const next = (): void => {
    looking = look();
  };
  const end = async (): Promise<void> => {
    cancel();
    keep(false);
    path = null;
    await looking;
  };
  return {
    follow: async () => {
      const named = config().presence.file;
      const wanted = named === undefined ? null : inHome(named);
      if (isStopped || (wanted === path && remembered !== undefined)) return;
      await end();
      await remember(wanted).catch(failed);
      if (isStopped) return;
      path = wanted;
      if (path !== null) next();
      await looking;
    },
    stop: async () => {
      isStopped = true;
      await end();
      await remember(null).catch(failed);
    },
  };
}

/** Positive evidence only: input a short time ago, and neither a locked screen nor `belfry away`. */
async function isHere({ store, clock, config, detect, env }: PresenceFileDeps): Promise<boolean> {
  if (awayAt(await store.machine(), clock.now()) !== null) return false;
  const { idle } = config().presence;
  const sessions = (await store.sessions({ since: clock.now() - RECENT })).filter(
    ({ host, user, process }) => host === HERE.host && user === HERE.user && process !== null,
  );
  // Whoever typed, typed in the terminal of one of them or anywhere else on the same screen.
  const [latest] = sessions.sort((a, b) => b.lastEvent - a.lastEvent);
  const pid = latest?.process?.pid ?? null;
  const given = (pid === null ? null : environmentOf(pid)) ?? env;
  const known = Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const place = placeOf({ env: Object.fromEntries(known) }) ?? UNKNOWN_PLACE;
  return (await detect({ place, pid, looking: false, idle, only: 'idle' })).idle === 'no';
}

/** A file of somebody else's is neither made nor removed: ours is empty. */
const isOurs = (path: string): boolean => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || (found.isFile() && found.size === 0);
};

const NOT_OURS = 'it is not empty, so it is not changed';

function make(path: string): string | null {
  try {
    if (!isOurs(path)) return NOT_OURS;
    closeSync(openSync(path, 'a', 0o600));
    return null;
  } catch (error) {
    return String(error);
  }
}

function remove(path: string): string | null {
  try {
    if (!isOurs(path)) return NOT_OURS;
    rmSync(path, { force: true });
    return null;
  } catch (error) {
    return String(error);
  }
}
