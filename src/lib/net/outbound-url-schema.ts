// A channel's address in the settings: what can never be sent to is refused where it is written.
import type * as z from 'zod';
import { secretRefKind } from '../secrets/secret-ref.ts';
import { addressFault, parseOutboundUrl } from './outbound-url.ts';

/** For `superRefine` of a channel's settings, also beside other errors. */
export const ALWAYS_RUN = { when: () => true } as const;

/** Checks `url` as it is written. `secret`: it may be a reference, which is checked once it is resolved. */
export function urlRefinement(secret: boolean) {
  return ({ url }: { readonly url?: unknown }, found: z.core.$RefinementCtx): void => {
    if (typeof url !== 'string' || url === '' || (secret && secretRefKind(url) !== 'literal')) return;
    const message = addressFault(url); // one that is refused only when it is sent to is a warning
    if (message !== null) found.addIssue({ code: 'custom', path: ['url'], message });
  };
}

/** Names of settings that hold an address. */
export const URL_SETTINGS: readonly string[] = ['url', 'server', 'api_url'];

/** Addresses, as they are written, to which nothing will be sent though they are some: private without permission, or with a user name in it; by setting. */
export function urlWarnings(settings: Readonly<Record<string, unknown>>): { key: string; message: string }[] {
  return URL_SETTINGS.flatMap((key) => {
    const url = settings[key];
    if (typeof url !== 'string' || addressFault(url) !== null) return [];
    const read = parseOutboundUrl(url, settings['allow_private'] === true);
    return typeof read === 'string' ? [{ key, message: `nothing will be sent there: ${read}` }] : [];
  });
}
