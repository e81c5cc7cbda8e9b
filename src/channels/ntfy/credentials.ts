// How a request to ntfy proves who sends it: docs.ntfy.sh, "Authentication".
import type { NtfySettings } from './settings.ts';

/** Headers; none for an open topic. */
export function authorization({ token, user, password }: NtfySettings): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (user === undefined || password === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}` };
}
