// What becomes of a message that has become pointless: changed to say so, removed, or left as it is.
import * as z from 'zod';

/** The setting's values. */
export const onResolvedSchema = z.enum(['update', 'remove', 'keep']);
export type OnResolved = z.output<typeof onResolvedSchema>;
