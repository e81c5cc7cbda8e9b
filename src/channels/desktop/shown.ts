// Notification ids that servers gave, so that a session's next notification replaces its last. An id means nothing to another run of a
// server: there it may be another program's.

const shown = new Map<string, { readonly server: string; readonly id: number }>();
const MOST_REMEMBERED = 500;

/** Remembers the id of what was just shown; `server` names one run of a server. */
export function remember(server: string, sessionKey: string, id: number): void {
  shown.delete(sessionKey);
  if (id > 0) shown.set(sessionKey, { server, id });
  const [oldest] = shown.keys();
  if (shown.size > MOST_REMEMBERED && oldest !== undefined) shown.delete(oldest);
}

/** The id that the session's next notification replaces; 0: none of this run of the server. */
export function idToReplace(server: string, sessionKey: string): number {
  const last = shown.get(sessionKey);
  return last?.server === server ? last.id : 0;
}

/** Forgets all. */
export function forgetShown(): void {
  shown.clear();
}
