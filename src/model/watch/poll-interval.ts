// How often a watch polls: the setting and its arithmetic.
import * as z from 'zod';
import { duration } from '../settings/config.ts';

/** `every = "10m"`; between ten seconds and a day. */
export const every = (standard: number) =>
  duration
    .refine((ms) => ms >= 10_000 && ms <= 86_400_000, 'must be between "10s" and "1d"')
    .default(standard)
    .meta({ description: 'How often to look' });

/** A watch with nothing to set but its interval. */
export const everySchema = (standard: number) => z.strictObject({ every: every(standard) });

/** Unix ms of the poll after one at `now`. */
export const afterInterval = (settings: { readonly every: number }, now: number): number => now + settings.every;
