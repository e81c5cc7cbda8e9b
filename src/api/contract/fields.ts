// The kinds of fields the contract is made of: strict for what is sent, tolerant for what comes back.
import * as z from 'zod';

/** No fields: an endpoint without path parameters, query or body. */
export const none = z.strictObject({});

/** Characters as the service counts them: code points. */
export const characters = (text: string): number => [...text].length;

/** A text of `min` to `max` code points. */
export const text = (min: number, max: number) =>
  z
    .string()
    .refine((value) => characters(value) >= min && characters(value) <= max, `must have ${min} to ${max} characters`)
    .meta({ minLength: min, maxLength: max });

/** A path parameter: a name that survives in a URL. */
export const pathText = (max: number) =>
  text(1, max)
    .refine((value) => value !== '.' && value !== '..', 'must not be "." or ".."')
    .refine((value) => !/\p{Surrogate}/u.test(value), 'must be well-formed text');

/** An id of the service in a path. */
export const pathId = pathText(512);

/** An id or cursor in a query or body. */
export const id = text(1, 2048);

/** A whole number within bounds. */
export const count = (min: number, max: number) => {
  const words = `must be a whole number from ${min} to ${max}`;
  return z
    .int(words)
    .min(min, words)
    .max(max, words)
    .meta({ description: `how many in a page, ${min} to ${max}` });
};

/** A day, `YYYY-MM-DD`, that exists. */
export const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2026-03-31')
  .refine((value) => isDay(value), 'is not a day of the calendar')
  .meta({ format: 'date', description: 'a day (UTC), such as 2026-03-31' });

/** Whether the calendar has this day. */
function isDay(value: string): boolean {
  const at = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value);
}

/** A field the answer may lack, or carry as null. */
export const maybe = <T extends z.ZodType>(type: T) => type.nullish();

/** An enumeration of the service with the values known today; others pass. */
export const word = (...known: readonly string[]) =>
  z.string().meta({ examples: known, description: `Known values: ${known.join(', ')}. Others may come.` });

/** An enumeration whose values are not known in full. */
export const openWord = z.string().meta({ description: 'The complete set of values is not documented.' });

/** An object of which only the known fields are described. */
export const loose = <S extends z.core.$ZodLooseShape>(shape: S) => z.looseObject(shape);

/** A JSON object of any content. */
export const json = z.looseObject({});
