// The wording of notifications: templates by kind.
import * as z from 'zod';
import { KINDS, type Kind } from '../event/event.ts';

/** A template for each kind. */
const templates = z.strictObject(
  Object.fromEntries(KINDS.map((kind) => [kind, z.string().optional()])) as Record<Kind, z.ZodOptional<z.ZodString>>,
);

/** The wording, of all channels or of one. */
export const wordingSchema = z.strictObject({
  title: templates
    .prefault({})
    .describe(
      'Template of the title, by kind, with fields in braces. If a field is not known, its parentheses are left out too, or the signs and the word (in, on, after, by, ...) before it.',
    ),
  body: templates.prefault({}).describe('Template of the body, by kind.'),
});

/** Templates by kind. */
export type Wording = z.output<typeof wordingSchema>;
