// The settings as they are in force, what an input would come to, and the daemon's own status.
import * as z from 'zod';
import { act, read } from './endpoint.ts';
import { ONLY } from '../../model/delivery/delivery.ts';
import { URGENCIES } from '../../model/event/event.ts';
import { id, maybeTime, time } from './fields.ts';
import { kind, urgency, verdictRow } from './rows.ts';
import { wholeEvent } from './events.ts';

/** A moment as people name it. */
const named = z.string().min(1).max(40).meta({
  description: 'when it would come: 23:30, "sat 03:00" or an ISO time, by the clock of the machine; now without it',
});

/** What would be decided. */
const decided = () => ({
  at: time.meta({ description: 'the moment that it was decided for' }),
  verdicts: z.array(verdictRow()),
  plan: z.array(
    z.object({
      channel: z.string(),
      step: z.number(),
      due: time,
      unless: z.string(),
      only: z.string(),
      held_by: z.string().nullable(),
      reason: z.string(),
      condition: z.string().meta({ description: 'in words: what holds it, and under which condition it goes out' }),
    }),
  ),
});

/** One of what may come, as a sentence and as rows. */
const ifItCame = () =>
  z.object({
    text: z.string(),
    outcome: z.string().meta({ description: 'the same, to follow "If it came now:"' }),
    reaches: z.boolean().meta({ description: 'whether people would hear of it' }),
    sends: z.array(
      z.object({
        channel: z.string(),
        step: z.number().meta({ description: '0: the first; then escalations, from 100 on reminders' }),
        audience: z.enum(['people', 'records']),
        only: z.enum(ONLY),
        at: time,
        state: z.enum(['goes', 'held', 'waits', 'failing']),
        until: maybeTime.meta({ description: 'when that ends, or is looked at again' }),
        why: z.string().meta({ description: 'what keeps it; empty: nothing' }),
      }),
    ),
  });

/** Of the rules as one text, `[[routes]]`, `[quiet]` and `[messages]` of config.toml with their comments. */
const rulesText = z.string().max(100_000).meta({
  description: 'at most 100,000 characters of TOML: [[routes]], [quiet] and [messages], nothing else',
});

const note = () =>
  z.object({
    line: z.number().nullable().meta({ description: 'of the text, from 1; null: about the rest of config.toml' }),
    column: z.number().nullable(),
    message: z.string(),
  });

/** What the form of a route shows, as its text has it. */
const routeFields = () =>
  z.object({
    route: z.number(),
    to: z.array(z.string()),
    when: z.string().meta({ description: 'always, away or idle' }),
    delay: z.string().meta({ description: 'empty: none' }),
    urgency: z.array(z.string()).meta({ description: 'empty: any' }),
    projects: z.array(z.string()).meta({ description: 'empty: any' }),
  });

const names = z.array(z.string().min(1).max(200)).max(100);

/** What is changed of a route; what is left away stays as it is. */
const routeEdit = z.strictObject({
  route: z.int().min(1).max(10_000).meta({ description: 'from 1, in the order of the text' }),
  to: names.optional(),
  when: z.enum(ONLY).optional(),
  delay: z.string().max(40).optional().meta({ description: 'such as "5s"; empty: none' }),
  urgency: z.array(z.enum(URGENCIES)).max(3).optional().meta({ description: 'empty: any' }),
  projects: names.optional().meta({ description: 'empty: any' }),
});

const counts = () =>
  z.object({
    messages: z.number(),
    only_away: z.number().meta({ description: 'of these: only while somebody is away or idle' }),
    in_digests: z.number().meta({ description: 'events that came in a digest' }),
  });
const reached = () => z.object({ events: z.number(), lost: z.number(), later: z.number() });

const preview = () =>
  z.object({
    from: time,
    until: time,
    events: z.number().meta({ description: 'that were decided again' }),
    cut: z
      .enum(['events', 'time'])
      .nullable()
      .meta({ description: 'not all of the days: there were more events, or it took too long' }),
    text: z.string().meta({ description: 'in a sentence' }),
    messages: z
      .object({ before: counts(), after: counts() })
      .meta({ description: 'on channels that people look at, by the rules in force and by these' }),
    channels: z.array(
      z.object({ channel: z.string(), audience: z.enum(['people', 'records']), before: counts(), after: counts() }),
    ),
    urgent: reached(),
    prompts: reached(),
    changed: z.number().meta({ description: 'events that would have gone another way' }),
    changes: z
      .array(
        z.object({
          event_id: z.string(),
          at: time,
          kind,
          urgency,
          title: z.string(),
          difference: z.enum(['nobody', 'records', 'later', 'away', 'fewer', 'more', 'sooner', 'other']),
          before: z.array(z.string()).meta({ description: 'where it goes, in words; empty: to nobody' }),
          after: z.array(z.string()),
        }),
      )
      .meta({ description: 'the gravest 100 of them' }),
    titles: z
      .array(z.object({ event_id: z.string(), before: z.string(), after: z.string() }))
      .meta({ description: 'some that would read otherwise' }),
  });

export const rules = {
  'rules.get': () =>
    read({
      summary: 'Routes, quiet hours and all settings in force, secrets hidden; errors of the file with line and column',
      result: () =>
        z.object({
          file: z.string(),
          origin: z.enum(['file', 'defaults', 'last good']),
          errors: z.array(
            z.object({ line: z.number(), column: z.number(), message: z.string(), excerpt: z.string().nullable() }),
          ),
          routes: z.array(
            z.object({
              route: z.number(),
              match: z.looseObject({}),
              to: z.array(z.string()),
              also: z.boolean(),
              machine: z.boolean().meta({ description: 'of the machine-wide file, so that it cannot be changed here' }),
              settings: z.looseObject({}),
            }),
          ),
          machine_file: z.string().nullable().meta({ description: 'the machine-wide settings in force' }),
          unrouted: z.array(z.string()).meta({ description: 'channels that no route names' }),
          quiet: z.looseObject({}).nullable(),
          settings: z.looseObject({}),
        }),
    }),
  'rules.try': () =>
    act({
      summary: 'What an input would come to, now or at another time; nothing is written or sent',
      body: z.strictObject({
        input: z.string().min(1).max(900_000).meta({ description: "a hook's input, as text" }),
        agent: z.string().max(64).optional(),
        event: z.string().max(128).optional(),
        at: named.optional(),
      }),
      result: () =>
        z.object({
          agent: z.string(),
          event: wholeEvent(),
          ...decided(),
          notifications: z.array(z.object({ channel: z.string(), title: z.string(), body: z.string(), urgency })),
        }),
    }),
  'rules.text': () =>
    read({
      summary: 'The rules of config.toml as one text, with what a change of it has to carry back',
      result: () =>
        z.object({
          file: z.string(),
          version: z.string().meta({ description: 'of the file: a change of another one is refused' }),
          text: z.string().nullable().meta({ description: 'null: the file is broken, as `errors` say' }),
          errors: z.array(note()),
          own: z
            .boolean()
            .meta({ description: 'false: the file has neither channels nor routes, so the default ones are in force' }),
          routes: z.array(routeFields()),
          channels: z.array(
            z.object({
              name: z.string(),
              audience: z.enum(['people', 'records']),
              locked: z
                .boolean()
                .meta({ description: 'it runs a program, and no route of the file names it: none can here' }),
            }),
          ),
        }),
    }),
  'rules.preview': () =>
    act({
      summary:
        'What the last days would have been under other rules, beside those in force; nothing is written or sent',
      body: z.strictObject({
        text: rulesText,
        edit: routeEdit.optional().meta({ description: 'a change of one route, made in the text first' }),
        days: z.int().min(1).max(30).default(7),
      }),
      result: () =>
        z.object({
          text: z.string().meta({ description: 'with the change made' }),
          errors: z.array(note()),
          warnings: z.array(note()),
          routes: z.array(routeFields()),
          dropped: z.array(z.string()).meta({
            description:
              'channels that run a program and that no route of these names: once saved, none can name them again here',
          }),
          preview: preview().nullable().meta({ description: 'null: there are errors' }),
        }),
    }),
  'rules.save': () =>
    act({
      summary:
        'Puts these rules in place of those of config.toml, whose other settings and comments stay, and has them take effect',
      body: z.strictObject({ text: rulesText, version: z.string().max(64) }),
      result: () =>
        z.object({
          version: z.string(),
          text: z.string(),
          routes: z.array(routeFields()),
          warnings: z.array(note()),
          problem: z.string().nullable().meta({ description: 'why what was written is not in force; null: it is' }),
        }),
      failures: {
        409: 'the file was changed since it was read, or cannot be written; nothing was changed',
        422: 'the rules are invalid: `errors` says where; nothing was changed',
      },
    }),
  'rules.explain': () =>
    read({
      summary: 'What a stored event would come to by the rules of now; nothing is written or sent',
      params: z.object({ id }),
      query: z.strictObject({ at: named.optional() }),
      result: () =>
        z.object({
          ...decided(),
          routes: z.array(
            z.object({
              route: z.number(),
              to: z.array(z.string()),
              later: z.array(z.string()).meta({ description: 'channels that it escalates to' }),
              also: z.boolean(),
              reached: z.boolean(),
              matches: z.boolean(),
              misses: z.array(z.string()).meta({ description: 'conditions that do not match' }),
            }),
          ),
        }),
    }),
  'status.ifNow': () =>
    read({
      summary:
        'What would become of a prompt, and of something urgent, that came now: where it would go, when, and what stands in the way',
      result: () =>
        z.object({
          at: time,
          text: z.string().meta({ description: 'both in one or two sentences' }),
          from: z
            .object({ agent: z.string(), project: z.string().nullable(), session_id: z.string().nullable() })
            .nullable()
            .meta({ description: 'the session heard of last: it is taken to come from there' }),
          prompt: ifItCame(),
          urgent: ifItCame(),
          notes: z
            .array(z.object({ channel: z.string().nullable(), text: z.string() }))
            .meta({ description: 'away, quiet hours, mutes, channels that fail or that no route names' }),
        }),
    }),
  'status.get': () =>
    read({
      summary: "The daemon's status, as `belfry status --json` has it",
      result: () => z.looseObject({ started_at: time, events: z.number(), version: z.string(), now: time }),
    }),
} as const;
