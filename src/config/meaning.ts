// What a schema cannot see: names that must exist elsewhere in the file, patterns that must compile, addresses.
import { regexpFault } from '../lib/safe-regexp.ts';
import type { Config } from '../model/config.ts';
import type { Found } from './mistake.ts';
import type { Registries } from './registries.ts';
import { secretKind } from './secrets.ts';
import { hint } from '../lib/nearest.ts';

/** Mistakes that make the settings unusable. */
export function contradictions(config: Config): Found[] {
  const names = config.channels.map((channel) => channel.name);
  const found: Found[] = [];
  config.routes.forEach((route, i) => {
    route.to.forEach((name, j) => {
      if (names.includes(name)) return;
      const message = `no [channels.${name}] in this file${hint(name, names)}`;
      found.push({ path: ['routes', i, 'to', j], point: 'value', message });
    });
  });
  config.redaction.patterns.forEach((pattern, i) => {
    const wrong = regexpFault(pattern);
    if (wrong !== null) found.push({ path: ['redaction', 'patterns', i], point: 'value', message: wrong });
  });
  for (const key of ['base_url', 'app_url'] as const) {
    const url = config.api[key];
    if (url !== undefined && !isHttp(url))
      found.push({
        path: ['api', key],
        point: 'value',
        message: 'must be an address that begins with https:// or http://',
      });
  }
  const metrics = config.daemon.metrics;
  if (metrics !== undefined && !LOOPBACK.test(metrics))
    found.push({
      path: ['daemon', 'metrics'],
      point: 'value',
      message: 'must be a loopback address and port such as "127.0.0.1:9464"',
    });
  return found;
}

const LOOPBACK = /^(127(?:\.\d{1,3}){3}|localhost|\[::1\]):\d{1,5}$/;

/** Things that work and that someone may not have meant. */
export function doubts(config: Config, registries: Registries, inFile: boolean): Found[] {
  if (!inFile) return [];
  const found: Found[] = [];
  const literal = (path: PropertyKey[], value: unknown): void => {
    if (typeof value !== 'string' || secretKind(value) !== 'literal') return;
    const message = 'is a secret written into the file; "env:NAME" or "file:PATH" keep it out';
    found.push({ path, point: 'value', message });
  };
  literal(['api', 'key'], config.api.key);
  const routed = new Set(config.routes.flatMap((route) => route.to));
  for (const { name, type, settings } of config.channels) {
    const channel = registries.channels.find((entry) => entry.type === type);
    for (const key of channel?.secrets ?? []) literal(['channels', name, key], settings[key]);
    if (!routed.has(name))
      found.push({
        path: ['channels', name],
        point: 'key',
        message: 'no route names it: it gets only `belfry test` and channel.failing',
      });
  }
  if (config.routes.length === 0)
    found.push({ path: ['channels'], point: 'key', message: 'there are no [[routes]]: nobody will be told; add one' });
  return found;
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
