// What is known of the person: what they said with `belfry away` and `belfry back`, and what the detectors see at their session.
import { awayAt, backAt } from '../../model/presence/away.ts';
import { clockTime } from '../../model/time/clock-time.ts';
import type { Config } from '../../model/settings/config.ts';
import type { Only } from '../../model/delivery/delivery.ts';
import type { Event } from '../../model/event/event.ts';
import { HERE } from '../../model/session/whereabouts.ts';
import { type Presence, type PresenceReader, UNKNOWN_PRESENCE } from '../../model/presence/presence.ts';
import { formatDuration } from '../../model/quantities.ts';
import type { Place } from '../../model/session/place.ts';
import { placeWithWindow } from '../../pipeline/index.ts';
import { type Detection, type Finding, lookingThere, type SeenThrough, sshBehind } from '../../presence/index.ts';
import type { FarTmux } from '../../sources/remote/protocol.ts';
import type { TmuxPlace } from '../../lib/programs/tmux.ts';
import type { Store } from '../../store/contract.ts';

/** Somebody who said to be back has used the machine: for so long they are not idle, ms. */
const ACTIVE = 180_000;

export interface PresenceDeps {
  readonly store: Pick<Store, 'machine' | 'session'>;
  /** Unix ms. */
  readonly now: () => number;
  readonly config: () => Pick<Config, 'presence'>;
  readonly detect: Detection;
  /** The terminal here through which a session elsewhere is seen, by its SSH_CONNECTION there. */
  readonly seenThrough?: (connection: string | null) => Promise<SeenThrough | null>;
  /** Asks a tmux server of a machine elsewhere who looks at a pane; null: nobody says. */
  readonly tmuxThere?: (remote: string, place: TmuxPlace) => Promise<FarTmux | null>;
}

/** Where the store is in trouble nothing is known. */
export function presenceReader({
  store,
  now,
  config,
  detect,
  seenThrough = sshBehind,
  tmuxThere = async () => null,
}: PresenceDeps): PresenceReader {
  return async (event, only): Promise<Presence> => {
    const stored = await store.machine().catch(() => null); // unknown is not present
    const at = now();
    const away = awayAt(stored, at);
    if (away !== null)
      return {
        away: true,
        looking: 'no',
        idle: 'yes',
        input: null,
        idleAfter: config().presence.idle,
        evidence: `you said that you are away until ${clockTime(away.until)}`,
      };
    const found = await detected(event, only, { store, config, detect, seenThrough, tmuxThere });
    const back = backAt(stored, at);
    if (back === null || at - back >= ACTIVE || found.idle !== 'unknown') return found;
    const said = `you said that you are back ${formatDuration(at - back)} ago`;
    const evidence = found.evidence === UNKNOWN_PRESENCE.evidence ? said : `${found.evidence}; ${said}`;
    return { ...found, idle: 'no', evidence };
  };
}

/** A session of another machine or user cannot be seen from here, but through a terminal of this one. */
async function detected(event: Event, only: Only, deps: Required<Omit<PresenceDeps, 'now'>>): Promise<Presence> {
  const { place, host, user, agent, sessionId } = event;
  if (place === null) return UNKNOWN_PRESENCE;
  if (host !== HERE.host || user !== HERE.user)
    return event.attributes['remote'] === host ? throughTerminal(host, place, only, deps) : UNKNOWN_PRESENCE;
  const key = sessionId === null ? null : { host, user, agent, sessionId };
  const record = key === null ? null : await deps.store.session(key).catch(() => null);
  const { looking, idle } = deps.config().presence;
  return deps.detect({
    place: placeWithWindow(place, record),
    pid: record?.process?.pid ?? null,
    looking,
    idle,
    only: only === 'idle' ? 'idle' : 'away',
  });
}

/** Programs there that show one of several screens, and do not say which. */
const SEVERAL = new Set(['screen', 'zellij']);

/** Who looks at the terminal of the ssh looks at what it shows: the session itself, or one of several screens there. */
async function throughTerminal(
  remote: string,
  place: Place,
  only: Only,
  { config, detect, seenThrough, tmuxThere }: Required<Omit<PresenceDeps, 'now'>>,
): Promise<Presence> {
  const seen = await seenThrough(place.ssh);
  if (seen === null) return UNKNOWN_PRESENCE;
  const { looking, idle } = config().presence;
  const question = { place: seen.place, pid: seen.pid, looking, idle, only: only === 'idle' ? only : 'away' } as const;
  const found = await detect(question);
  if (found.looking !== 'yes') return found;
  if (place.tmux === null && !SEVERAL.has(place.terminal ?? '')) return found;
  const there = place.tmux === null ? null : await shownThere(place.tmux, (at) => tmuxThere(remote, at));
  if (there?.answer === 'yes') return { ...found, evidence: `${found.evidence}; on ${remote}, ${there.evidence}` };
  const why = there?.evidence ?? 'which screen is shown is not known';
  return { ...found, looking: there?.answer ?? 'unknown', evidence: `${found.evidence}; on ${remote}, ${why}` };
}

/** What a tmux server there says, all of which is asked at once. */
async function shownThere(
  place: TmuxPlace,
  ask: (place: TmuxPlace) => Promise<FarTmux | null>,
): Promise<Finding | null> {
  const said = await ask(place);
  const run = async (program: string): Promise<string | null> => (program === 'ps' ? said?.ttys : said?.said) ?? null;
  return said && lookingThere(place, run, said.now);
}
