// The change feed: one stream a tab, read by fetch, resumed where it broke off; its messages carry the rows of what changed.
import { signal } from '@preact/signals';
import type { StreamRows } from '../../http/api/contract.ts';
import { STREAM_PATH } from '../../http/api/paths.ts';
import { sleep } from '../lib/sleep.ts';
import { readMessages, type StreamMessage } from './stream-messages.ts';
import { follows, onStopped, untilFollowing } from './stream-turn.ts';

/** What changed; `everything`: more was missed than is kept. */
export type ChangeType =
  | 'session'
  | 'event'
  | 'notification'
  | 'question'
  | 'delivery'
  | 'health'
  | 'mute'
  | 'machine'
  | 'settings'
  | 'everything';

/** connecting: not yet; live: what is shown follows; lost: no answer since `since` (Unix ms), tried again all the time. */
export type Connection = { readonly state: 'connecting' | 'live' } | { readonly state: 'lost'; readonly since: number };

export const connection = signal<Connection>({ state: 'connecting' });

/** Belfry is another version than the one that this tab was loaded from: parts of it may be there no more. */
export const upgraded = signal(false);

let version: string | null = null;

/** Rows, or 'everything': more changed than a message holds. */
type RowListener = (rows: NonNullable<StreamRows> | 'everything') => void;
const rowListeners = new Set<RowListener>();

/** Calls with the rows of what changed, for as long as the tab is open. */
export function watchRows(listener: RowListener): void {
  rowListeners.add(listener);
}

/** The same until the returned function is called. */
export function watchRowsUntil(listener: RowListener): () => void {
  rowListeners.add(listener);
  return () => rowListeners.delete(listener);
}

type Listener = (types: ReadonlySet<string>) => void;
const listeners = new Set<Listener>();

/** Calls with the types of what changed; returns what ends it. */
export function watchChanges(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Ms before the first and the longest wait of another try. */
const FIRST = 500;
const LONGEST = 5_000;
/** Ms of silence after which a stream counts as lost; the daemon speaks every 15 s. */
const SILENCE = 40_000;

let opened = false;

/** What the stream is read with. */
export interface StreamAccess {
  /** What may be sent now; null: nothing any more. */
  readonly token: () => Promise<string | null>;
  readonly ended: () => void;
  readonly broke: () => void;
}

/** Reads the stream for as long as the tab is open; ends where the token has ended. */
export function openStream(access: StreamAccess): void {
  if (opened) return;
  opened = true;
  void readOn(access).finally(() => {
    opened = false;
  });
}

async function readOn({ token, ended, broke }: StreamAccess): Promise<void> {
  let lastId: string | null = null;
  let wasRefused = false;
  for (let wait = FIRST; ; wait = Math.min(wait * 2, LONGEST)) {
    await untilFollowing();
    try {
      const held = await token();
      if (held === null) return;
      for await (const message of messagesFrom(held, lastId)) {
        if (message === 'over') {
          // Once may mean that Belfry was started again.
          if (wasRefused) return ended();
          wasRefused = true;
        } else if (message === 'answered') {
          wasRefused = false;
          connection.value = { state: 'live' };
          wait = FIRST;
        } else {
          lastId = message.id;
          take(message);
        }
      }
    } catch {
      // Belfry is not running, or was stopped: the banner says so until it answers.
    }
    if (!follows.value) continue; // it stopped by itself, and resumes there
    broke();
    if (connection.value.state !== 'lost') connection.value = { state: 'lost', since: Date.now() };
    await sleep(wait);
  }
}

async function* messagesFrom(
  token: string,
  lastId: string | null,
): AsyncGenerator<StreamMessage | 'answered' | 'over'> {
  const stop = new AbortController();
  let silence = setTimeout(() => stop.abort(), SILENCE);
  const endTurn = onStopped(() => stop.abort());
  try {
    const resume: Record<string, string> = lastId === null ? {} : { 'last-event-id': lastId };
    const headers = { authorization: `Bearer ${token}`, ...resume };
    const response = await fetch(`${STREAM_PATH}?rows=true`, { headers, signal: stop.signal });
    if (response.status === 401) yield 'over';
    if (!response.ok || response.body === null) return;
    yield 'answered';
    for await (const message of readMessages(response.body)) {
      clearTimeout(silence);
      silence = setTimeout(() => stop.abort(), SILENCE);
      if (message !== null) yield message;
    }
  } finally {
    clearTimeout(silence);
    endTurn();
    stop.abort();
  }
}

function take({ event, data }: StreamMessage): void {
  if (event === 'open') {
    const { version: now = null } = data as { version?: string | null };
    version ??= now;
    upgraded.value = now !== version;
  }
  if (event === 'open' || event === 'reset') readAgain();
  if (event !== 'changes') return;
  const { changes = [], rows = null } = data as { changes?: readonly { type: string }[]; rows?: StreamRows };
  for (const listener of rowListeners) listener(rows ?? 'everything');
  report(new Set(changes.map(({ type }) => type)));
}

/** Has everything that is shown read again. */
export function readAgain(): void {
  for (const listener of rowListeners) listener('everything');
  report(new Set(['everything']));
}

function report(types: ReadonlySet<string>): void {
  for (const listener of listeners) listener(types);
}
