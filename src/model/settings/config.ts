// The settings every module shares, as zod schemas: interface.md, "config.toml". Channels, agents and watches bring their own.
import * as z from 'zod';
import { STOP_CAUSES } from '../session/stop-causes.ts';
import { ANSWER_KINDS } from '../question/answering.ts';
import { KINDS } from '../event/event.ts';
import { LEVELS } from '../notification/notification.ts';
import { onResolvedSchema } from '../channel/on-resolved.ts';
import type { Route } from './routes.ts';
import type { RemoteConfig } from './remotes.ts';
import { duration, fromOneSecond, size } from './values.ts';
import { type Wording, wordingSchema } from '../notification/wording-settings.ts';

export { duration, size } from './values.ts';
export { type Match, type Route, routeSchema } from './routes.ts';

export const levelSchema = z.enum(LEVELS);

export const contextSchema = z.strictObject({
  messages: z
    .int()
    .min(0)
    .max(20)
    .default(3)
    .describe(
      'How many of the session’s latest messages to fetch, if the service has sessions of that agent; 0 = none.',
    ),
  timeout: duration.prefault('3s').describe('How long to wait for them before the notification is sent without them.'),
  kinds: z
    .array(z.enum(KINDS))
    .default(['agent.finished', 'session.ended', 'session.failed'])
    .describe('Kinds of events whose notifications get them.'),
  computer_id: z.string().optional().describe('Computer of the sessions, if the service asks for one.'),
});

/** `[agents.NAME]`. */
export const agentSchema = z.strictObject({
  abnormal_reasons: z
    .array(z.string())
    .optional()
    .describe('Reasons that make the end of a session abnormal. The defaults are in docs/agents/NAME.md.'),
  /** Longest time a finish is held while background work runs. */
  background_wait: duration
    .prefault('10m')
    .describe('How long a finish is held back at most while background work is running.'),
  /** Silence after which a working session is stalled; absent: never. */
  stalled_after: duration
    .optional()
    .describe('Report a working session as stalled after this long without an event. If you leave it out, never.'),
});
export type AgentConfig = z.output<typeof agentSchema>;

/** `[messages]`. */
export const messagesSchema = z.strictObject({
  ...wordingSchema.shape,
  on_resolved: onResolvedSchema
    .optional()
    .describe(
      'What happens to messages on channels that people look at, once they are resolved or acknowledged: they are changed to say so, removed, or kept. If you leave it out, each channel has its own default.',
    ),
});

/** `[quiet]`. */
export const quietSchema = z.strictObject({
  hours: z
    .array(z.string())
    .max(50)
    .default([])
    .describe(
      'Quiet hours, such as "22:00-07:00" or "sat,sun 00:00-24:00"; what comes then arrives as one digest at the end.',
    ),
  zone: z
    .string()
    .optional()
    .describe('Time zone of `hours`, such as "Europe/Berlin". If you leave it out, the time zone of this machine.'),
  urgent: z.enum(['pass', 'hold']).default('pass').describe('Whether urgent notifications get through or are held.'),
  channels: z
    .array(z.string())
    .optional()
    .describe(
      'Channels that are quiet. If you leave it out: all channels that people look at. Those that keep a record are never quiet.',
    ),
});
export type QuietConfig = z.output<typeof quietSchema>;

/** `[presence]`. */
export const presenceSchema = z.strictObject({
  looking: z
    .boolean()
    .default(true)
    .describe('Detect whether you are looking at a session (docs/guide/presence.md says how). `false`: never.'),
  idle: fromOneSecond.prefault('3m').describe('After this long without input you count as idle.'),
  file: z
    .string()
    .regex(/^(?:~\/|\/|[A-Za-z]:[\\/])[^\0]{1,1000}$/, 'must be a whole path, or begin with ~/')
    .optional()
    .describe(
      'A file that exists while you are at this machine, for clients that then send nothing to your phone (docs/guide/presence.md). If you leave it out, Belfry keeps no such file.',
    ),
});

export const redactionSchema = z.strictObject({
  level: levelSchema.default('full').describe('How much text leaves this machine; can also be set per channel.'),
  patterns: z.array(z.string()).default([]).describe('Regular expressions for further secrets to remove.'),
});

export const retentionSchema = z.strictObject({
  days: z.number().positive().max(3650).default(30).describe('Events older than this are deleted.'),
  size: size.prefault('200MB').describe('Largest size of the database; the oldest events are deleted first.'),
});

export const daemonSchema = z.strictObject({
  autostart: z.boolean().default(true).describe('Whether a hook starts the daemon when it is not running.'),
  metrics: z
    .string()
    .optional()
    .describe('The older form of `[http] listen`: one loopback address and port, such as "127.0.0.1:9464".'),
});

/** `[network]`. */
export const networkSchema = z.strictObject({
  proxy: z
    .string()
    .default('env')
    .describe(
      'The HTTP proxy of outgoing requests: "env" for HTTPS_PROXY and HTTP_PROXY of the daemon’s environment, "none", an address such as "http://proxy.example.com:3128", or a reference to a secret that holds one.',
    ),
});

/** `[http]`. */
export const httpSchema = z.strictObject({
  listen: z
    .array(z.string())
    .max(8)
    .default([])
    .describe('IP addresses and ports of the HTTP interface, such as "127.0.0.1:7717". An empty list switches it off.'),
  hosts: z
    .array(z.string())
    .max(32)
    .default([])
    .describe(
      'Further host names that requests may use, such as "host.docker.internal". Loopback names are always allowed.',
    ),
  metrics: z.boolean().default(true).describe('Serve Prometheus metrics at `/metrics`.'),
});
export type HttpConfig = z.output<typeof httpSchema>;

/** Longest `[answer] wait`: clients let a hook wait for a day at most, ms. */
const LONGEST_WAIT = 23 * 3_600_000;

/** `[answer]`. */
export const answerSettingsSchema = z.strictObject({
  kinds: z
    .array(z.enum(ANSWER_KINDS))
    .default([...ANSWER_KINDS])
    .describe('What may be answered from elsewhere. With an empty list, nothing.'),
  wait: duration
    .refine((ms) => ms >= 1_000 && ms <= LONGEST_WAIT, 'must be between "1s" and "23h"')
    .prefault('1h')
    .describe('How long an agent waits for an answer from elsewhere; after that only its terminal can answer.'),
  channels: z
    .array(z.string())
    .default([])
    .describe('Channels that may carry buttons for answers. You can always answer on the command line.'),
});
export type AnswerSettings = z.output<typeof answerSettingsSchema>;

/** `[limits]`. */
export const limitsSchema = z.strictObject({
  low: z
    .number()
    .min(1)
    .max(100)
    .default(90)
    .describe(
      'Per cent of a usage limit at which you are notified that it is nearly reached (`limit.low`), for clients that say what is used (docs/guide/limits.md). 100: never.',
    ),
});

/** `[resume]`. */
export const resumeSchema = z.strictObject({
  on: z
    .array(z.enum(STOP_CAUSES))
    .default([])
    .describe(
      'After what Belfry lets a stopped session go on by itself (docs/guide/limits.md): a usage limit that is over (`limit`), a server error (`overloaded`), a network error (`network`). With an empty list, never.',
    ),
  text: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .default('continue')
    .describe('The instruction with which a session goes on.'),
  most: z
    .number()
    .int()
    .min(1)
    .max(100)
    .default(3)
    .describe('How often in 24 hours a session goes on by itself at most.'),
});
export type ResumeSettings = z.output<typeof resumeSchema>;

export const apiSchema = z.strictObject({
  base_url: z.string().optional().describe('Address of the service, for every /api path.'),
  app_url: z.string().optional().describe('Address of the readiness reports.'),
  key: z.string().optional().meta({ secret: true }).describe('API key (a secret).'),
});

/** One configured channel; `settings` were validated by the channel's own schema, secrets not yet resolved. */
export interface ChannelConfig {
  readonly name: string;
  readonly type: string;
  readonly level: z.output<typeof levelSchema> | null;
  /** Its own wording, which goes before the general one. */
  readonly messages?: Wording;
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
  readonly messages: z.output<typeof messagesSchema>;
  readonly quiet: QuietConfig;
  readonly presence: z.output<typeof presenceSchema>;
  readonly redaction: z.output<typeof redactionSchema>;
  readonly retention: z.output<typeof retentionSchema>;
  readonly daemon: z.output<typeof daemonSchema>;
  readonly network: z.output<typeof networkSchema>;
  readonly http: HttpConfig;
  readonly answer: AnswerSettings;
  readonly limits: z.output<typeof limitsSchema>;
  readonly resume: ResumeSettings;
  readonly remotes: Readonly<Record<string, RemoteConfig>>;
}
