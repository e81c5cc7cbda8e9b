// What the service says about a failure (section 7 of docs/service-interface.md).
import * as z from 'zod';

/** The documented body of a failure of the analytics. */
export const problem = z.looseObject({
  title: z.string(),
  detail: z.string(),
  status: z.number(),
  requestId: z.string(),
});
