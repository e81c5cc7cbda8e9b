// The address of a service that has a usual one, and can be another: a server of your own, or a test.
import * as z from 'zod';
import { addressFault } from '../../lib/net/outbound-url.ts';

/** A setting for it; without slashes at its end. */
export function serviceUrl(usual: string, description: string) {
  return z
    .string()
    .superRefine((text, found) => {
      const message = addressFault(text);
      if (message !== null) found.addIssue({ code: 'custom', message });
    })
    .transform((text) => text.trim().replace(/\/{1,100}$/, ''))
    .prefault(usual)
    .describe(description);
}
