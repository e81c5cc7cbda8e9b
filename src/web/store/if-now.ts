// What would become of something urgent that came now: read again when mutes, the person's presence, a channel's health or the settings change, and with each minute of the clock.
import type { ApiResult } from '../../http/api/contract.ts';
import { call } from '../api/access.ts';
import { useLive } from '../api/live.ts';
import { minute } from '../lib/clock.ts';

type IfNow = ApiResult<'status.ifNow'>;

/** Ms between two reads: a channel that fails changes often. */
const APART = 3_000;

/** What was read last, so that whoever comes back sees it at once. */
let kept: IfNow | null = null;

/** Null: not read yet. */
export function useIfNow(): IfNow | null {
  const read = (signal: AbortSignal): Promise<IfNow> => call('status.ifNow', {}, signal);
  const { value } = useLive(`if now ${minute.value}`, ['mute', 'machine', 'health', 'settings'], read, APART);
  kept = value ?? kept;
  return kept;
}
