// Takes the person to a session: which one, where its agent runs now, and how it went in words.
import { EXIT, UserError } from '../../model/errors.ts';
import { type SessionKey, sessionKeyText } from '../../model/ids.ts';
import { HERE } from '../../model/session/whereabouts.ts';
import { type Place, UNKNOWN_PLACE } from '../../model/session/place.ts';
import { effectiveState } from '../../model/session/effective-state.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import { placeWithWindow } from '../../pipeline/index.ts';
import type { Focus, FocusRequest, Step } from '../../place/index.ts';
import { sshBehind } from '../../presence/index.ts';
import { isAlive } from '../../runtime/process-table.ts';
import { ALL, type StoreReader } from '../../store/contract.ts';

/** How it went; field names are stable. */
export interface Focused {
  readonly agent: string;
  readonly session_id: string;
  /** all: as far as there is anything to do; some: not everything worked. */
  readonly done: 'all' | 'some';
  readonly steps: readonly Step[];
}

/** Latest events of a session that are looked through for its place. */
const MOST_EVENTS = 50;

/** In one line, for people. */
export const stepsText = (steps: readonly Step[]): string => steps.map(({ text }) => text).join('; ');

type Env = Readonly<Record<string, string | undefined>>;
type Reader = Pick<StoreReader, 'session' | 'events'>;

/** Throws UserError where nothing could be shown. `env`: of this process. */
export async function focusSession(key: SessionKey, store: Reader, env: Env): Promise<Focused> {
  const request = await requestOf(key, store);
  const steps = await (await focusHere(env)).show(request);
  if (!steps.some(({ done }) => done))
    throw new UserError(`${stepsText(steps)}; go to it yourself: ${whereText(request.place, request.cwd)}`);
  const done = steps.every((step) => step.done) ? 'all' : 'some';
  return { agent: key.agent, session_id: key.sessionId, done, steps };
}

/** Whether there is a way to the session, its pane or its window; nothing is shown. `env`: of this process. */
export async function canFocus(key: SessionKey, store: Reader, env: Env): Promise<boolean> {
  try {
    const abilities = await (await focusHere(env)).check(await requestOf(key, store));
    return abilities.some(({ able }) => able);
  } catch {
    return false; // `focus` says why
  }
}

async function focusHere(env: Env): Promise<Focus> {
  const { createFocus, PLACES } = await import('../../place/index.ts');
  return createFocus(PLACES, { platform: process.platform, env });
}

/** Where it is. Throws UserError where nobody can be taken there. */
async function requestOf(key: SessionKey, store: Reader): Promise<FocusRequest> {
  const record = await store.session(key);
  if (key.host !== HERE.host || key.user !== HERE.user) return requestThere(key, record, store);
  const { process: agent = null, cwd = null } = record ?? {};
  const place = (await placeOfSession(key, store)) ?? (agent === null ? null : UNKNOWN_PLACE);
  if (place === null) throw new UserError('no hook of that session has named its terminal: go to it yourself');
  if (agent !== null && !isAlive(agent.pid, agent.start))
    throw new UserError('the agent of that session has exited: `belfry sessions` lists those that run');
  return { place: placeWithWindow(place, record), pid: agent?.pid ?? null, cwd };
}

/** Of a machine elsewhere the terminal here is shown through which the session is seen. */
async function requestThere(key: SessionKey, record: SessionRecord | null, store: Reader): Promise<FocusRequest> {
  if (record?.process?.where !== key.host)
    throw new UserError(`that session is ${key.user}'s on ${key.host}: it can be shown only there`);
  const seen = await sshBehind((await placeOfSession(key, store))?.ssh ?? null);
  if (seen === null)
    throw new UserError(
      `no terminal here is known to show ${key.host} alone: its ssh has ended, goes through another machine, or is shared (ControlMaster)`,
    );
  return { ...seen, cwd: null };
}

/** "/dev/pts/3, in /src/payments": where a person finds it. */
function whereText({ tty, tmux, ssh }: Place, cwd: string | null): string {
  const where = [
    ssh === null ? null : 'over SSH',
    tmux === null ? null : `pane ${tmux.pane} of tmux`,
    tty,
    cwd === null ? null : `in ${cwd}`,
  ].filter((part) => part !== null);
  return where.length === 0 ? '`belfry doctor`, run in its terminal, says what works there' : where.join(', ');
}

/** Where its agent ran last. */
async function placeOfSession(
  { sessionId, agent, host, user }: SessionKey,
  store: Pick<StoreReader, 'events'>,
): Promise<Place | null> {
  const events = await store.events({ session: sessionId, agents: [agent], limit: MOST_EVENTS });
  const own = events.filter(({ event }) => event.host === host && event.user === user); // an id may be there twice
  return own.findLast(({ event }) => event.place !== null)?.event.place ?? null;
}

/** The session that has waited longest, else that of the oldest open notification. Throws UserError where none does. */
export async function longestWaiting(store: StoreReader, now: number): Promise<SessionKey> {
  const here = (await store.sessions({})).filter(
    ({ host, user, process }) => (host === HERE.host && user === HERE.user) || process?.where === host,
  );
  const waiting = here
    .map((record) => effectiveState(record, now))
    .filter(({ state }) => state === 'waiting')
    .sort((a, b) => a.since - b.since);
  if (waiting[0]) return waiting[0];
  const open = await store.notifications({ states: ['open'], limit: ALL });
  for (const { threadKey } of open) {
    const found = here.find((record) => sessionKeyText(record) === threadKey);
    if (found) return found;
  }
  throw new UserError('no session waits for you: name one of `belfry sessions`', EXIT.notFound);
}
