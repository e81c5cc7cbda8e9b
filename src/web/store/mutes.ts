// The mutes in force: read when somebody first looks, again after each change made here.
import { signal } from '@preact/signals';
import type { ApiResult } from '../../http/api/contract.ts';
import { call } from '../api/access.ts';
import { problemText } from '../api/live.ts';
import { watchChanges } from '../api/stream.ts';
import { now } from '../lib/clock.ts';

export type Mute = ApiResult<'mutes.list'>['mutes'][number];

/** Null: not read yet. */
export const mutes = signal<readonly Mute[] | null>(null);
/** Why they could not be read; null: they could. */
export const mutesProblem = signal<string | null>(null);

let isWanted = false;

/** Reads them. Never rejects. */
export async function readMutes(): Promise<void> {
  isWanted = true;
  try {
    mutes.value = (await call('mutes.list', {})).mutes;
    mutesProblem.value = null;
  } catch (error) {
    mutesProblem.value = problemText(error);
  }
}

/** Reads them if nobody has looked yet. */
export function wantMutes(): void {
  if (!isWanted) void readMutes();
}

/** The one that is in force for this session alone; undefined: none is. */
export const muteOf = (session: string): Mute | undefined =>
  mutes.value?.find(
    (mute) =>
      mute.session === session &&
      (mute.channel ?? mute.cwd ?? null) === null &&
      (mute.until === null || Date.parse(mute.until) > now.value),
  );

watchChanges((changed) => {
  if (isWanted && (changed.has('mute') || changed.has('everything'))) void readMutes();
});
