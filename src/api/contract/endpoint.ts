// What one endpoint of the service is: the entry from which client, command, mock, types and OpenAPI follow.
import type * as z from 'zod';

/** One page after another. */
export interface Paging {
  /** The query parameter that asks for the next page. */
  readonly parameter: string;
  /** Its value for the page after this one; null: this was the last, or the next cannot be reached. */
  readonly next: (page: unknown) => string | null;
  /** Whether the service says that another page follows; null: it does not say. */
  readonly more: (page: unknown) => boolean | null;
  /** The field that identifies a row; absent: the whole row does. */
  readonly key?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** How much of a count each name has. */
export interface Breakdown {
  readonly title: string;
  readonly list?: string;
  readonly name: string;
  readonly count: string;
}

/** Why an input is refused before anything is sent. */
export interface Problem {
  /** Name of the field. */
  readonly field: string;
  readonly message: string;
}

/** An endpoint's whole contract. Path, query and body fields have different names, so callers give them as one object. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  /** Which of the service's two addresses. */
  readonly host: 'base' | 'app';
  /** Path below the address, with `{name}` for each path parameter. */
  readonly path: string;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  /** An object without fields: the request has no body. */
  readonly body: z.ZodObject;
  /** Status of success. */
  readonly status: 200 | 201;
  readonly result: z.ZodObject;
  /** Failures the service documents, and the shape of their body; others may carry anything. */
  readonly failures: readonly number[];
  readonly error: z.ZodObject;
  /** `manager`: members and guests get 403. */
  readonly role: 'manager' | 'any';
  readonly auth: 'key' | 'key-or-jwt';
  /** After which faults the same request may be sent again. */
  readonly repeat: 'any-fault' | 'server-fault' | 'never';
  /** The section of docs/contributing/service-interface.md. */
  readonly section: string;
  readonly summary: string;
  /** The result's field that holds its rows. */
  readonly rows?: string;
  /** What a person sees first of a row (or of a single result): dotted paths. */
  readonly columns: readonly string[];
  /** Labels for the values of a column, where they do not explain themselves. */
  readonly show?: Readonly<Record<string, (value: unknown) => string>>;
  /** The column that gets the rest of a terminal's width, and its most lines. */
  readonly rest?: { readonly column: string; readonly lines: number };
  /** Counts that may be added up over all rows: of the named items of a list in each row, or (no list) of the rows. */
  readonly charts?: readonly Breakdown[];
  /** The rows with a column more, for people: what only all rows together show. `whole`: none after the last is missing. */
  readonly compare?: (rows: readonly Fields[], whole: boolean) => Fields[];
  /** The number the days are compared by, and the columns that may be added up over the days. */
  readonly headline?: string;
  readonly totals?: readonly string[];
  /** The field of a row with its time, Unix ms or ISO 8601. `newestFirst`: the specification gives that order. */
  readonly time?: { readonly field: string; readonly newestFirst: boolean };
  /** A list in each row whose names differ only in case for the same thing: shown as one unless raw. */
  readonly merge?: { readonly list: string; readonly name: string; readonly count: string };
  readonly pages?: Paging;
  /** Rules that need more than one field or the time (Unix ms). */
  readonly refuse?: (input: Readonly<Record<string, unknown>>, now: number) => Problem | null;
}

/** Declares an endpoint; the type is checked, nothing else happens. */
export function endpoint<const E extends Endpoint>(entry: E): E {
  return entry;
}

/** The fields of one part of a request; a part without fields constrains nothing. */
type Part<P extends z.ZodObject> = keyof P['shape'] extends never ? unknown : z.input<P>;

/** All fields a caller may give, by name. */
export type Input<E extends Endpoint> = Part<E['params']> & Part<E['query']> & Part<E['body']>;

/** What comes back, unknown fields kept. */
export type Output<E extends Endpoint> = z.output<E['result']>;
