// Values of settings that several sections have: durations, sizes, one or a list.
import * as z from 'zod';
import { NOTIFICATION_LIFETIME } from '../notification/notification.ts';
import { LONGEST_DURATION, parseDuration, parseSize } from '../quantities.ts';

/** A duration in config.toml; milliseconds after parsing. */
export const duration = z
  .string()
  .refine((text) => parseDuration(text) !== null, 'must be a duration such as "3s", "10m" or "1h30m"')
  .refine((text) => (parseDuration(text) ?? 0) <= LONGEST_DURATION, 'must be at most "3650d"')
  .transform((text) => parseDuration(text) ?? 0);

/** A size in config.toml; bytes after parsing. */
export const size = z
  .string()
  .refine((text) => parseSize(text) !== null, 'must be a size such as "200MB"')
  .transform((text) => parseSize(text) ?? 0);

/** One value or a list of them; a list after parsing. */
export const oneOrMore = <T extends z.ZodType>(type: T) =>
  z.union([type, z.array(type).min(1)]).transform((v) => (Array.isArray(v) ? v : [v]) as z.output<T>[]);

/** A duration of at most the time that a notification stays open. */
export const withinLifetime = duration.refine((ms) => ms <= NOTIFICATION_LIFETIME, 'must be at most "24h"');
/** The same, at least a second. */
export const fromOneSecond = withinLifetime.refine((ms) => ms >= 1_000, 'must be at least "1s"');
