// A channel's address in the settings: what can never be sent to is refused where it is written.
import type * as z from 'zod';
import { secretKind } from './secret-kind.ts';
import { readTarget } from './target.ts';

/** For `superRefine` of a channel's settings, also beside other mistakes. */
export const BESIDE_OTHERS = { when: () => true } as const;

/** Judges `url` as it is written. `secret`: it may be a reference, which is judged once it is resolved. */
export function refuseTarget(secret: boolean) {
  return (
    { url, allow_private: allowPrivate }: { readonly url?: unknown; readonly allow_private?: unknown },
    found: z.core.$RefinementCtx,
  ): void => {
    if (typeof url !== 'string' || url === '' || (secret && secretKind(url) !== 'literal')) return;
    const read = readTarget(url, allowPrivate === true);
    if (typeof read === 'string') found.addIssue({ code: 'custom', path: ['url'], message: read });
  };
}
