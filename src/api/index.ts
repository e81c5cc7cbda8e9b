// The package's entry `belfry/api`: the client of the organization's service.
export { type Client, createClient } from './client.ts';
export { type Answered, ApiError, type ErrorKind } from './errors.ts';
export type { CallOptions, ClientOptions, RequestLine } from './options.ts';
