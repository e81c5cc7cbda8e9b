// The whole of config.toml: the shared sections of model/settings/config.ts and what channels, agents and watches bring.
import * as z from 'zod';
import {
  type ChannelConfig,
  type Config,
  agentSchema,
  answerSettingsSchema,
  contextSchema,
  limitsSchema,
  messagesSchema,
  presenceSchema,
  resumeSchema,
  retentionSchema,
  routeSchema,
  type Route,
} from '../model/settings/config.ts';
import { HERE } from '../model/session/whereabouts.ts';
import { REMOTE_NAME, remoteSchema } from '../model/settings/remotes.ts';
import type { CommonSettings } from '../model/channel/settings.ts';
import { defaultRoutes, defaultChannels } from './defaults.ts';
import { asObject, type JsonObject } from '../lib/json/json.ts';
import { issuesOf } from './checks/schema-issues.ts';
import { unknownTargets } from './checks/semantic-checks.ts';
import type { Issue } from './diagnostic.ts';
import type { Registries } from './registries.ts';
import { api, daemon, http, network, quiet, redaction } from './checked-sections.ts';
import { templateIssues } from './checks/template-issues.ts';
import { didYouMean } from '../lib/text/did-you-mean.ts';

/** The sections every settings file may have; a channel's and a watch's own keys are checked by their own schemas. */
export const fileSchema = z.strictObject({
  api: api.prefault({}),
  context: contextSchema.prefault({}),
  agents: z.record(z.string(), agentSchema).default({}),
  channels: z.record(z.string(), z.looseObject({ type: z.string() })).optional(),
  routes: z.array(routeSchema).optional(),
  watches: z.record(z.string(), z.looseObject({})).default({}),
  messages: messagesSchema.prefault({}),
  quiet: quiet.prefault({}),
  presence: presenceSchema.prefault({}),
  redaction: redaction.prefault({}),
  retention: retentionSchema.prefault({}),
  daemon: daemon.prefault({}),
  network: network.prefault({}),
  http: http.prefault({}),
  answer: answerSettingsSchema.prefault({}),
  limits: limitsSchema.prefault({}),
  resume: resumeSchema.prefault({}),
  remotes: z.record(z.string(), remoteSchema).default({}),
});
type File = z.output<typeof fileSchema>;

/** How a file is checked that is not somebody's own alone. */
export interface ValidateOptions {
  /** Of the sections; in place of that of everybody's own file. */
  readonly schema?: z.ZodType<File>;
  /** Whether the built-in channels and routes are in force besides; by default where it has no others. */
  readonly keepsDefaults?: boolean;
  /** Routes without a channel that let events go on have lost theirs: what they take and no other does goes to these channels and the built-in ones. */
  readonly takesEmptied?: readonly string[];
  /** The machine-wide file that it is laid over. */
  readonly machineFile?: string | undefined;
}

/** Checks the parsed TOML against every schema; all that is wrong is found in one go. */
export function validate(
  input: unknown,
  registries: Registries,
  { schema = fileSchema, keepsDefaults, takesEmptied, machineFile }: ValidateOptions = {},
): { readonly config: Config; readonly found: null } | { readonly config: null; readonly found: Issue[] } {
  const parsed = schema.safeParse(input);
  const found: Issue[] = parsed.success ? [] : issuesOf(parsed.error, schema, input);
  const given = asObject(input);
  const channels = channelsOf(asObject(given['channels']), registries, found);
  const watches = watchesOf(asObject(given['watches']), registries, found);
  const known = registries.agents.map((agent) => agent.name);
  for (const name of Object.keys(asObject(given['agents'])))
    if (known.length > 0 && !known.includes(name))
      found.push({ path: ['agents', name], point: 'key', message: `no such agent${didYouMean(name, known)}` });
  for (const name of Object.keys(asObject(given['remotes']))) {
    const message = remoteNameFault(name);
    if (message !== null) found.push({ path: ['remotes', name], point: 'key', message });
  }
  found.push(...unknownTargets(given, machineFile), ...templateIssues(given));
  if (!parsed.success || found.length > 0) return { config: null, found };
  const defaults = keepsDefaults ?? (parsed.data.channels === undefined && parsed.data.routes === undefined);
  const isBuiltIn = defaults || takesEmptied !== undefined;
  const builtIn = isBuiltIn ? defaultChannels(registries).filter(({ name }) => !named(channels, name)) : [];
  const { channels: _given, routes = [], watches: _watches, ...sections } = parsed.data;
  const config: Config = {
    ...sections,
    watches,
    channels: [...channels, ...builtIn],
    routes: [
      ...routes,
      ...(defaults ? defaultRoutes(builtIn) : []),
      ...(takesEmptied === undefined ? [] : lastRoutes(routes, [...takesEmptied, ...builtIn.map(({ name }) => name)])),
    ],
  };
  return { config, found: null };
}

/** What routes without a channel take, and no other does, goes here. */
const lastRoutes = (routes: readonly Route[], to: readonly string[]): Route[] =>
  routes.flatMap(({ match, to: own, also }) =>
    own.length === 0 && also
      ? [{ ...(match !== undefined && { match }), to: [...to], also: false, when: 'always' }]
      : [],
  );

/** Why no machine elsewhere can have this name; null: one can. Sessions of this machine go by its own. */
export function remoteNameFault(name: string): string | null {
  if (!REMOTE_NAME.test(name)) return 'a name has letters, digits and . _ - only, 63 at most';
  return name.toLowerCase() === HERE.host.toLowerCase() ? 'is the name of this machine: choose another' : null;
}

const named = (channels: readonly ChannelConfig[], wanted: string): boolean =>
  channels.some(({ name }) => name === wanted);

/** A type that is missing is found by the schema of the file. */
function channelsOf(given: JsonObject, registries: Registries, found: Issue[]): ChannelConfig[] {
  const types = registries.channels.map((channel) => channel.type);
  return Object.entries(given).flatMap(([name, settings]) => {
    const { type, ...rest } = asObject(settings);
    if (typeof type !== 'string') return [];
    const channel = registries.channels.find((entry) => entry.type === type);
    if (!channel) {
      const message = `no channel of type "${type}"${didYouMean(type, types)}`;
      found.push({ path: ['channels', name, 'type'], point: 'value', message });
      return [];
    }
    const own = channel.schema.safeParse(rest);
    if (!own.success) {
      found.push(...issuesOf(own.error, channel.schema, rest, ['channels', name], ['type']));
      return [];
    }
    const data = own.data as Record<string, unknown> & CommonSettings; // by defineChannel
    const { level = null, messages } = data;
    return [{ name, type, level, ...(messages && { messages }), settings: data }];
  });
}

function watchesOf(given: JsonObject, registries: Registries, found: Issue[]): Record<string, unknown> {
  const names = registries.watches.map((watch) => watch.name);
  const watches: Record<string, unknown> = {};
  for (const [name, settings] of Object.entries(given)) {
    const watch = registries.watches.find((entry) => entry.name === name);
    if (!watch) {
      const message = `no such watch in this version of belfry${didYouMean(name, names)}`;
      found.push({ path: ['watches', name], point: 'key', message });
      continue;
    }
    const own = watch.schema.safeParse(asObject(settings));
    if (own.success) watches[name] = own.data;
    else found.push(...issuesOf(own.error, watch.schema, settings, ['watches', name]));
  }
  return watches;
}
