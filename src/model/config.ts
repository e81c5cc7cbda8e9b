// The settings every room shares, as zod schemas: interface.md, "config.toml". Channels, agents and watches bring their own.
import * as z from 'zod';
import { KINDS, URGENCIES } from './event.ts';
import { LEVELS } from './notification.ts';

const DURATION = /^(\d+(?:\.\d+)?(ms|s|m|h|d))+$/;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of "3s", "1h30m", "250ms"; null when it is not a duration. */
export function parseDuration(text: string): number | null {
  if (!DURATION.test(text)) return null;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g))
    total += Number(amount) * (UNITS[unit ?? ''] ?? 0);
  return total;
}

/** Bytes of "200MB", "64KiB", "1GB"; null when it is not a size. */
export function parseSize(text: string): number | null {
  const m = /^(\d+(?:\.\d+)?)\s*(B|KB|KiB|MB|MiB|GB|GiB)$/i.exec(text);
  if (!m) return null;
  const powers: Readonly<Record<string, number>> = {
    b: 1,
    kb: 1e3,
    kib: 1024,
    mb: 1e6,
    mib: 1024 ** 2,
    gb: 1e9,
    gib: 1024 ** 3,
  };
  return Math.round(Number(m[1]) * (powers[(m[2] ?? '').toLowerCase()] ?? 1));
}

/** A duration in config.toml; milliseconds after parsing. */
export const duration = z
  .string()
  .refine((text) => parseDuration(text) !== null, 'must be a duration such as "3s", "10m" or "1h30m"')
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
  kind: oneOrMore(z.enum(KINDS)).optional(),
  agent: oneOrMore(z.string()).optional(),
  cwd: oneOrMore(z.string()).optional(),
  project: oneOrMore(z.string()).optional(),
  session: oneOrMore(z.string()).optional(),
  abnormal: z.boolean().optional(),
  detail: oneOrMore(z.string()).optional(),
  reason: oneOrMore(z.string()).optional(),
  hook_event: oneOrMore(z.string()).optional(),
  urgency: oneOrMore(z.enum(URGENCIES)).optional(),
});
export type Match = z.output<typeof matchSchema>;

export const routeSchema = z.strictObject({
  match: matchSchema.optional(),
  to: z.array(z.string()),
  also: z.boolean().default(false),
});
export type Route = z.output<typeof routeSchema>;

export const levelSchema = z.enum(LEVELS);

export const contextSchema = z.strictObject({
  messages: z.int().min(0).max(20).default(3),
  timeout: duration.prefault('3s'),
  kinds: z.array(z.enum(KINDS)).default(['agent.finished', 'session.ended', 'session.failed']),
  computer_id: z.string().optional(),
});

/** `[agents.NAME]`. */
export const agentSchema = z.strictObject({
  abnormal_reasons: z.array(z.string()).optional(),
  /** Longest time a finish is held while background work runs. */
  background_wait: duration.prefault('10m'),
  /** Silence after which a working session is stalled; absent: never. */
  stalled_after: duration.optional(),
});
export type AgentConfig = z.output<typeof agentSchema>;

export const redactionSchema = z.strictObject({
  level: levelSchema.default('full'),
  patterns: z.array(z.string()).default([]),
});

export const retentionSchema = z.strictObject({
  days: z.number().positive().max(3650).default(30),
  size: size.prefault('200MB'),
});

export const daemonSchema = z.strictObject({
  autostart: z.boolean().default(true),
  metrics: z.string().optional(),
});

export const apiSchema = z.strictObject({
  base_url: z.string().optional(),
  app_url: z.string().optional(),
  key: z.string().optional(),
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
