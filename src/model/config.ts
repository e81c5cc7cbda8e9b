// The settings every module shares, as zod schemas: interface.md, "config.toml". Channels, agents and watches bring their own.
import * as z from 'zod';
import { KINDS, URGENCIES } from './event.ts';
import { LEVELS } from './notification.ts';
import { LONGEST_DURATION, parseDuration, parseSize } from './quantities.ts';

/** A duration in config.toml; milliseconds after parsing. */
export const duration = z
  .string()
  .refine((text) => parseDuration(text) !== null, 'must be a duration such as "3s", "10m" or "1h30m"')
  .refine((text) => (parseDuration(text) ?? 0) <= LONGEST_DURATION, 'must be at most "3650d"')
  .transform((text) => parseDuration(text) ?? 0);

/** A size in config.toml; bytes after parsing. */
export const size = z
  .string()
  .refine((text) => parseSize(text) !== null, 'must be a size such as "200MB"')
  .transform((text) => parseSize(text) ?? 0);

const oneOrMore = <T extends z.ZodType>(type: T) =>
  z.union([type, z.array(type).min(1)]).transform((v) => (Array.isArray(v) ? v : [v]) as z.output<T>[]);

/** What a route matches; every given key must hold, a list means any of it. Strings take `*` (and `**` in cwd). */
export const matchSchema = z.strictObject({
  kind: oneOrMore(z.enum(KINDS)).optional().describe('Kind of the event.'),
  agent: oneOrMore(z.string())
    .optional()
    .describe('Agent, as in `[agents]`; `belfry` and `service` for events of their own.'),
  cwd: oneOrMore(z.string()).optional().describe('Folder; `*` within a name, `**` across folders, `~` for the home.'),
  project: oneOrMore(z.string()).optional().describe('Repository or folder name.'),
  session: oneOrMore(z.string()).optional().describe('Session id.'),
  abnormal: z.boolean().optional().describe('Whether the end was abnormal.'),
  detail: oneOrMore(z.string())
    .optional()
    .describe('permission, question, idle, background, rate-limit, vanished, ...'),
  reason: oneOrMore(z.string()).optional().describe('Reason of a session’s end, as the client gave it.'),
  hook_event: oneOrMore(z.string()).optional().describe('The client’s own event name.'),
  urgency: oneOrMore(z.enum(URGENCIES)).optional().describe('Urgency.'),
});
export type Match = z.output<typeof matchSchema>;

export const routeSchema = z.strictObject({
  match: matchSchema.optional().describe('What it takes; without it every kind but those that a route has to name.'),
  to: z.array(z.string()).describe('Names of channels; an empty list tells nobody.'),
  also: z.boolean().default(false).describe('Go on to the next route after this one.'),
});
export type Route = z.output<typeof routeSchema>;

export const levelSchema = z.enum(LEVELS);

export const contextSchema = z.strictObject({
  messages: z
    .int()
    .min(0)
    .max(20)
    .default(3)
    .describe('Latest messages of the session, fetched from the service where it has sessions of that agent; 0 = off.'),
  timeout: duration.prefault('3s').describe('Then the notification goes out without them.'),
  kinds: z
    .array(z.enum(KINDS))
    .default(['agent.finished', 'session.ended', 'session.failed'])
    .describe('Kinds that get context.'),
  computer_id: z.string().optional().describe('Computer of the sessions, where the service asks for one.'),
});

/** `[agents.NAME]`. */
export const agentSchema = z.strictObject({
  abnormal_reasons: z
    .array(z.string())
    .optional()
    .describe('Session-end reasons that are abnormal; default: docs/agents.md.'),
  /** Longest time a finish is held while background work runs. */
  background_wait: duration.prefault('10m').describe('Longest time a finish is held while background work runs.'),
  /** Silence after which a working session is stalled; absent: never. */
  stalled_after: duration
    .optional()
    .describe('Silence after which a working session is told as stalled; without it never.'),
});
export type AgentConfig = z.output<typeof agentSchema>;

export const redactionSchema = z.strictObject({
  level: levelSchema.default('full').describe('How much text leaves the machine; also per channel.'),
  patterns: z.array(z.string()).default([]).describe('Further secrets, as regular expressions.'),
});

export const retentionSchema = z.strictObject({
  days: z.number().positive().max(3650).default(30).describe('Age at which events are deleted.'),
  size: size.prefault('200MB').describe('Size of the database, oldest events go first.'),
});

export const daemonSchema = z.strictObject({
  autostart: z.boolean().default(true).describe('A hook starts a missing daemon.'),
  metrics: z.string().optional().describe('Loopback address and port of Prometheus metrics, such as "127.0.0.1:9464".'),
});

export const apiSchema = z.strictObject({
  base_url: z.string().optional().describe('Address of every /api path.'),
  app_url: z.string().optional().describe('Address of the readiness reports.'),
  key: z.string().optional().describe('API key; a secret.'),
});

/** One configured channel; `settings` were validated by the channel's own schema, secrets not yet resolved. */
export interface ChannelConfig {
  readonly name: string;
  readonly type: string;
  readonly level: z.output<typeof levelSchema> | null;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** config.toml after validation: the one normal form below the edge. */
export interface Config {
  readonly api: z.output<typeof apiSchema>;
  readonly context: z.output<typeof contextSchema>;
  readonly agents: Readonly<Record<string, AgentConfig>>;
  readonly channels: readonly ChannelConfig[];
  readonly routes: readonly Route[];
  readonly watches: Readonly<Record<string, unknown>>;
  readonly redaction: z.output<typeof redactionSchema>;
  readonly retention: z.output<typeof retentionSchema>;
  readonly daemon: z.output<typeof daemonSchema>;
}
