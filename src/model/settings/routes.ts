// `[[routes]]`: which events it takes, where they go, and when.
import * as z from 'zod';
import { ONLY } from '../delivery/delivery.ts';
import { KINDS, URGENCIES } from '../event/event.ts';
import { duration, fromOneSecond, oneOrMore, withinLifetime } from './values.ts';

/** What a route matches; every given key must hold, a list means any of it. Strings take `*` (and `**` in cwd). */
export const matchSchema = z.strictObject({
  kind: oneOrMore(z.enum(KINDS)).optional().describe('Kind of event.'),
  agent: oneOrMore(z.string())
    .optional()
    .describe('Agent, as in `[agents]`; `belfry` and `service` for their own events.'),
  cwd: oneOrMore(z.string())
    .optional()
    .describe('Folder; `*` matches within a name, `**` across folders, `~` is your home.'),
  project: oneOrMore(z.string()).optional().describe('Name of the repository or folder.'),
  branch: oneOrMore(z.string()).optional().describe('Branch, or worktree and branch.'),
  host: oneOrMore(z.string()).optional().describe('Machine of the agent.'),
  user: oneOrMore(z.string()).optional().describe('User who runs the agent.'),
  session: oneOrMore(z.string()).optional().describe('Session id.'),
  abnormal: z.boolean().optional().describe('Whether the end was abnormal.'),
  detail: oneOrMore(z.string())
    .optional()
    .describe('permission, question, idle, background, rate-limit, vanished, ...'),
  reason: oneOrMore(z.string()).optional().describe('Why a session ended, in the client’s words.'),
  hook_event: oneOrMore(z.string()).optional().describe('The client’s own event name.'),
  urgency: oneOrMore(z.enum(URGENCIES)).optional().describe('Urgency.'),
  longer_than: duration
    .optional()
    .describe('Only finishes of turns that took at least this long. A turn of unknown length counts as long.'),
});
export type Match = z.output<typeof matchSchema>;

/** What makes events of one group: their values of these. */
export const GROUP_FIELDS = [
  'kind',
  'detail',
  'urgency',
  'agent',
  'project',
  'branch',
  'cwd',
  'host',
  'user',
  'session',
] as const;

export const groupSchema = z.strictObject({
  by: z.array(z.enum(GROUP_FIELDS)).min(1).describe('What the events of a group have in common.'),
  wait: withinLifetime.prefault('2s').describe('How long the first event waits for others.'),
  every: withinLifetime.prefault('1m').describe('The least time between two changes of the message.'),
});
export type Group = z.output<typeof groupSchema>;

export const escalationSchema = z.strictObject({
  after: fromOneSecond.describe('Time since the first send.'),
  to: z.array(z.string()).min(1).describe('Names of channels.'),
});
export type Escalation = z.output<typeof escalationSchema>;

export const routeSchema = z.strictObject({
  match: matchSchema
    .optional()
    .describe('Which events it takes. If you leave it out: every kind except those that a route has to name.'),
  to: z.array(z.string()).describe('Names of channels; an empty list sends nothing.'),
  also: z.boolean().default(false).describe('Continue with the next route after this one.'),
  delay: withinLifetime.optional().describe('Wait this long, and send only what is not resolved by then.'),
  when: z
    .enum(ONLY)
    .default('always')
    .describe(
      'Send only while you are away from that session, or idle. Belfry checks when it is due, and again every 30 s while it waits. It is sent if nothing shows that you are there, and always if it is urgent. `belfry away` and `belfry back` count too.',
    ),
  group: groupSchema
    .optional()
    .describe('Send related events as one notification, such as `{ by = ["project"], wait = "2s", every = "1m" }`.'),
  escalate: z
    .array(escalationSchema)
    .max(20)
    .optional()
    .describe(
      'Further channels to send to while nobody has acknowledged or answered it, such as `[{ after = "2m", to = ["phone"] }]`.',
    ),
  repeat: fromOneSecond
    .optional()
    .describe(
      'Send a reminder this often, for a day after the first message, until it is acknowledged, answered or resolved.',
    ),
});
/** `machine`: it is of the machine-wide file. */
export type Route = z.output<typeof routeSchema> & { readonly machine?: true };
