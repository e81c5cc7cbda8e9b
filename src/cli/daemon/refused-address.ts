// An address of `[http] listen` that the daemon cannot listen on, in words: for `status` and doctor.

/** `address`: as in the settings. */
export const refusedWords = (address: string): string =>
  `the HTTP interface cannot listen on ${address}: another program may have the port`;

export const REFUSED_FIX = 'free it, or name another in `[http] listen`';
