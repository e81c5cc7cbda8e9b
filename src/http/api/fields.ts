// Fields that several endpoints have.
import * as z from 'zod';

/** ISO 8601 in UTC. */
export const time = z.iso.datetime().meta({ description: 'ISO 8601, UTC' });
export const maybeTime = time.nullable();

/** An id in a path. */
export const id = z.string().min(1).max(2_048);

/** One page of a list. */
export const page = {
  limit: z.coerce.number().int().min(1).max(500).default(100).meta({ description: 'rows of a page, 1 to 500' }),
  cursor: z.string().min(1).max(2_048).optional().meta({ description: 'the `cursor` of the page before' }),
};

/** What a list ends with. */
export const more = {
  cursor: z.string().nullable().meta({ description: 'for the next page; null: this is the last' }),
};

/** Text that is searched for, in any case. */
export const search = z.string().trim().min(1).max(200).optional();

/** Several values with commas. */
export const list = <T extends z.ZodType<unknown, string>>(of: T) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(of).min(1).max(50))
    .meta({ description: 'several with commas' });

/** An instant in a query: ISO 8601, or a day. As Unix ms. */
export const instant = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), 'must be a time such as 2026-03-31T08:00:00Z')
  .transform((text) => Date.parse(text));

/** `true` or `false` in a query. */
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
