// The package's entry `belfry/api`: the client of the organization's service.
export { type CallOptions, type Client, type ClientOptions, createClient, type RequestLine } from './client.ts';
export { type Answered, ApiError, type ErrorKind } from './errors.ts';
