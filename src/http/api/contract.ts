// The contract of the HTTP interface: server, typed client and OpenAPI document are made from it.
import type * as z from 'zod';
import { deliveries } from './deliveries.ts';
import type { ApiEndpoint } from './endpoint.ts';
import { events } from './events.ts';
import { mutes } from './mutes.ts';
import { notifications } from './notifications.ts';
import { page } from './page.ts';
import type { EndpointName } from './paths.ts';
import { push } from './push.ts';
import type { streamRows } from './rows.ts';
import { rules } from './rules.ts';
import { service } from './service.ts';
import { sessions } from './sessions.ts';

/** Each endpoint is made when it is first asked for: the schemas of all of them take megabytes. */
export const contract = {
  ...sessions,
  ...events,
  ...notifications,
  ...deliveries,
  ...mutes,
  ...rules,
  ...service,
  ...page,
  ...push,
} as const satisfies Readonly<Record<EndpointName, () => ApiEndpoint>>;

type Contract = { readonly [K in EndpointName]: ReturnType<(typeof contract)[K]> };

/** What a handler is given: path, query and body as they were read. */
export type ApiCall<K extends EndpointName> = {
  readonly [Part in 'params' | 'query' | 'body']: z.output<Contract[K][Part]>;
};

/** What a caller writes: path, query and body in one object. */
export type ApiInput<K extends EndpointName> = Fields<z.input<Contract[K]['params']>> &
  Fields<z.input<Contract[K]['query']>> &
  Fields<z.input<Contract[K]['body']>>;

/** No fields forbid none of the other parts. */
type Fields<T> = T extends Record<string, never> ? unknown : T;

/** What comes back. */
export type ApiResult<K extends EndpointName> = z.output<ReturnType<Contract[K]['result']>>;

/** Rows that a message of the stream carries; null: more than one message holds, so that lists are to be read again. */
export type StreamRows = z.output<ReturnType<typeof streamRows>> | null;
