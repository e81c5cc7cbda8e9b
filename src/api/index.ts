// The package's entry `belfry/api`: the client of the organization's service.
export { type Client, createClient } from './client/client.ts';
export { type Answered, ApiError, type ErrorKind } from './client/errors.ts';
export type { CallOptions, ClientOptions, RequestLine } from './client/options.ts';
