// Whether the person has said to be away from the machine: set by `belfry away`, ended by `belfry back` or by its time.
import * as z from 'zod';

/** Longest time of being away, ms; also the time when none is given. It always ends by itself. */
export const LONGEST_AWAY = 12 * 3_600_000;

const awaySchema = z.object({
  /** Unix ms. */
  since: z.number(),
  until: z.number(),
});
export type Away = z.output<typeof awaySchema>;

const backSchema = z.object({
  /** Unix ms. */
  back: z.number(),
});
export type Back = z.output<typeof backSchema>;

/** What the store has of the machine; null: nothing yet. */
type Said = { readonly state: unknown } | null;

/** The state from it; null: not away, or not any more. */
export function awayAt(said: Said, now: number): Away | null {
  const read = awaySchema.safeParse(said?.state);
  return read.success && read.data.since <= now && now < read.data.until ? read.data : null;
}

/** When the person said to be back, Unix ms; null: they have not, or went away again. */
export function backAt(said: Said, now: number): number | null {
  const read = backSchema.safeParse(said?.state);
  return read.success && read.data.back <= now ? read.data.back : null;
}
