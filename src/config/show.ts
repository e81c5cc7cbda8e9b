// The settings in force as text for people: durations as they are written, secrets hidden.
import * as z from 'zod';
import { apiSchema, type Config, duration, size } from '../model/settings/config.ts';
import { durationSetting, sizeSetting } from '../model/quantities.ts';
import type { Registries } from './registries.ts';
import { fileSchema } from './schema.ts';
import { maskProxy } from '../lib/net/proxy.ts';
import { maskSecrets } from './secrets/resolve-secrets.ts';

type Json = Record<string, unknown>;

/** Settings in the form of the file, every default filled in. */
export function shownConfig(config: Config, registries: Registries): Json {
  const { channels, api, watches, ...rest } = config;
  const { routes, ...shown } = asWritten(fileSchema, {
    ...rest,
    api: maskSecrets(apiSchema, api),
    network: { proxy: maskProxy(rest.network.proxy) },
  }) as Json;
  const watched = Object.entries(watches).map(([name, settings]) => {
    const watch = registries.watches.find((entry) => entry.name === name);
    return [name, watch ? asWritten(watch.schema, settings) : settings] as const;
  });
  return {
    ...shown,
    channels: Object.fromEntries(
      channels.map(({ name, type, settings }) => {
        const channel = registries.channels.find((entry) => entry.type === type);
        const own = channel ? (asWritten(channel.schema, maskSecrets(channel.schema, settings)) as Json) : {};
        return [name, { type, ...own }];
      }),
    ),
    routes: (routes as readonly Json[]).map(({ machine: _, ...route }) => route),
    watches: Object.fromEntries(watched),
  };
}

/** Durations and sizes back in their written form, wherever the schema has one. */
function asWritten(schema: unknown, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (isDuration(schema) && typeof value === 'number') return durationSetting(value);
  if (schema === size && typeof value === 'number') return sizeSetting(value);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return asWritten(schema.unwrap(), value);
  if (Array.isArray(value))
    return value.map((item) => asWritten(schema instanceof z.ZodArray ? schema.element : null, item));
  if (typeof value !== 'object' || value === null) return value;
  const field = (key: string): unknown =>
    schema instanceof z.ZodObject
      ? (schema.shape as Json)[key]
      : schema instanceof z.ZodRecord
        ? schema.valueType
        : null;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, asWritten(field(key), item)]])),
  );
}

/** One with further checks is a copy that reads and transforms with the same parts. */
function isDuration(schema: unknown): boolean {
  return schema instanceof z.ZodPipe && schema.in === duration.in && schema.out === duration.out;
}
