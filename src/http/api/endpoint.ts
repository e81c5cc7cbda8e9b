// What one endpoint of the HTTP interface is: routes, typed client and OpenAPI document follow from it. Who may use it: ../access.ts.
import * as z from 'zod';

/** An endpoint's contract; its method and path are in paths.ts. */
export interface ApiEndpoint {
  readonly summary: string;
  /** What the path holds in place of each `:name`. */
  readonly params: z.ZodObject;
  /** Texts of the query, read as what they mean. */
  readonly query: z.ZodObject;
  /** JSON of the body; an object without fields: it may have none. */
  readonly body: z.ZodObject;
  /** Made when it is asked for: only the OpenAPI document and tests ask. */
  readonly result: () => z.ZodObject;
  /** Failures that are its own, with the reason; 400, 401, 403, 404 and 429 every endpoint has. */
  readonly failures?: Readonly<Record<number, string>>;
}

const none = z.strictObject({});

/** What every endpoint says of itself. */
interface Described<R, P> {
  readonly summary: string;
  readonly params?: P;
  readonly result: () => R;
  readonly failures?: Readonly<Record<number, string>>;
}

/** An endpoint that reads; what it does not name, it does not take. */
export function read<Q extends z.ZodObject, R extends z.ZodObject, P extends z.ZodObject = typeof none>(
  of: Described<R, P> & { readonly query?: Q },
) {
  // Without a query of its own there are no fields, which the generic type cannot say.
  const { query = none as unknown as Q, params = none as unknown as P, ...rest } = of;
  return { body: none, query, params, ...rest } as const satisfies ApiEndpoint;
}

/** An endpoint that changes something. */
export function act<B extends z.ZodObject, R extends z.ZodObject, P extends z.ZodObject = typeof none>(
  of: Described<R, P> & { readonly body?: B },
) {
  const { body = none as unknown as B, params = none as unknown as P, ...rest } = of;
  return { query: none, body, params, ...rest } as const satisfies ApiEndpoint;
}
