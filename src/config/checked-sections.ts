// The shared sections with what their shape alone cannot say: addresses, patterns that must compile, loopback only.
import type * as z from 'zod';
import { regexpFault } from '../lib/text/safe-regexp.ts';
import { isLoopback, parseListenAddress } from '../lib/net/listen-address.ts';
import { didYouMean, nearest } from '../lib/text/did-you-mean.ts';
import { proxyFault } from '../lib/net/proxy.ts';
import { secretRefKind } from '../lib/secrets/secret-ref.ts';
import {
  apiSchema,
  daemonSchema,
  httpSchema,
  networkSchema,
  quietSchema,
  redactionSchema,
} from '../model/settings/config.ts';
import { coversTheWeek, DAY_NAMES, parseQuietRange } from '../model/time/quiet-hours.ts';

const ADDRESS = 'must begin with https:// or http://';

/** `[api]`. */
export const api = apiSchema.extend({
  base_url: apiSchema.shape.base_url.refine(isHttp, ADDRESS),
  app_url: apiSchema.shape.app_url.refine(isHttp, ADDRESS),
});

/** `[redaction]`. */
export const redaction = redactionSchema.extend({
  patterns: redactionSchema.shape.patterns.superRefine((patterns, found) => {
    patterns.forEach((source, i) => {
      const message = regexpFault(source);
      if (message !== null) found.addIssue({ code: 'custom', path: [i], message });
    });
  }),
});

/** `[quiet]`. */
export const quiet = quietSchema.extend({
  hours: quietSchema.shape.hours.superRefine((entries, found) => {
    const ranges = entries.map(parseQuietRange).flatMap((range, i) => {
      if (!('fault' in range)) return [range];
      const message = `${range.fault}${range.day ? didYouMean(range.day, DAY_NAMES) : ''}`;
      found.addIssue({ code: 'custom', path: [i], message });
      return [];
    });
    const message = 'cover the whole week, so nothing would be sent but what is urgent; leave some time';
    if (coversTheWeek(ranges)) found.addIssue({ code: 'custom', path: [], message });
  }),
  zone: quietSchema.shape.zone.superRefine((zone, found) => {
    const message = zone === undefined ? null : zoneFault(zone);
    if (message !== null) found.addIssue({ code: 'custom', path: [], message });
  }),
});

/** `[daemon]`. */
export const daemon = daemonSchema.extend({
  metrics: daemonSchema.shape.metrics.refine(
    (text) => text === undefined || isLoopbackAddress(text),
    'must be a loopback address and port such as "127.0.0.1:9464"',
  ),
});

/** `[network]`. */
export const network = networkSchema.extend({
  proxy: networkSchema.shape.proxy.superRefine((text, found) => {
    if (text === 'env' || text === 'none' || secretRefKind(text) !== 'literal') return;
    const fault = proxyFault(text);
    if (fault !== null) found.addIssue({ code: 'custom', path: [], message: `${fault}; or "env", or "none"` });
  }),
});

/** A host name or IP address as a Host header has it, the port left out or given. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** `[http]`. */
export const http = httpSchema.extend({
  listen: each(
    httpSchema.shape.listen,
    (text) => parseListenAddress(text) !== null,
    'must be an IP address and port such as "127.0.0.1:7717" or "[::1]:7717"',
  ),
  hosts: each(
    httpSchema.shape.hosts,
    (text) => HOST.test(text),
    'must be a host name such as "host.docker.internal", with a port or without; no pattern',
  ),
});

function each<T extends z.ZodType<string[]>>(list: T, fits: (text: string) => boolean, message: string): T {
  return list.superRefine((texts, found) => {
    texts.forEach((text, i) => {
      if (!fits(text)) found.addIssue({ code: 'custom', path: [i], message });
    });
  });
}

function isLoopbackAddress(text: string): boolean {
  const address = parseListenAddress(text);
  return address !== null && isLoopback(address);
}

function isHttp(text: string | undefined): boolean {
  return text === undefined || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol));
}

/** What is wrong with a name, as the end of a sentence; null when there is such a zone. */
function zoneFault(name: string): string | null {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return null;
  } catch {
    // A RangeError: no such zone.
  }
  const zones = Intl.supportedValuesOf('timeZone');
  const city = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1);
  const cities = zones.map(city);
  const written = city(name).replaceAll(' ', '_');
  const near = nearest(name, zones) ?? zones[cities.indexOf(nearest(written, cities) ?? '')];
  return `no time zone "${name}"${near === undefined ? '; write one such as "Europe/Berlin"' : `; did you mean "${near}"?`}`;
}
