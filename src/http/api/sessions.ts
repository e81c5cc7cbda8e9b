// Sessions of all agents.
import * as z from 'zod';
import { SESSION_STATES } from '../../model/session/session.ts';
import { act, read } from './endpoint.ts';
import { flag, id, instant, list, maybeTime, more, page, search, time } from './fields.ts';
import { eventSummary, notificationRow, questionRow, sessionRow } from './rows.ts';

const key = z.object({ key: id.meta({ description: "a session's `key`, or its `session_id`" }) });

export const sessions = {
  'sessions.list': () =>
    read({
      summary: 'Live sessions, those that wait for somebody first',
      query: z.strictObject({
        ...page,
        agent: z.string().max(64).optional(),
        state: list(z.enum(SESSION_STATES)).optional(),
        q: search.meta({ description: 'in title, project, branch, folder, agent and last words' }),
        all: flag.optional().meta({ description: 'also those without an event for twelve hours' }),
      }),
      result: () => z.object({ sessions: z.array(sessionRow()), total: z.number(), ...more }),
    }),
  'sessions.get': () =>
    read({
      summary: 'One session with its latest events, open questions and notifications',
      params: key,
      result: () =>
        z.object({
          session: sessionRow(),
          events: z.array(eventSummary()),
          questions: z.array(questionRow()),
          notifications: z.array(notificationRow()),
        }),
    }),
  'sessions.timeline': () =>
    read({
      summary:
        'What happened in a session: prompts, what it asked and for how long it waited, who was notified where, who answered',
      params: key,
      query: z.strictObject({
        since: instant.optional().meta({ description: "without it, today by the machine's clock" }),
      }),
      result: () =>
        z.object({
          since: time,
          cut: z.boolean().meta({ description: 'there is more than is looked at: the latest is here' }),
          waited_today: z.object({ seconds: z.number(), text: z.string() }).meta({
            description:
              'how long at least one of its prompts waited for somebody; a prompt of which no notification was made is not counted',
          }),
          prompts: z.number().meta({ description: 'that it was given' }),
          tools: z
            .array(z.object({ name: z.string(), count: z.number() }))
            .meta({ description: 'that it asked for; those that run without asking leave no event' }),
          rows: z.array(
            z.object({
              at: time,
              until: maybeTime.meta({ description: 'of a wait, its end' }),
              what: z.enum(['prompt', 'wait', 'event', 'sent', 'answer', 'end']),
              channel: z.string().nullable(),
              event_id: z.string(),
              text: z.string(),
            }),
          ),
        }),
    }),
  'sessions.reply': () =>
    act({
      summary: 'Sends text to a session that has finished and can still be reached',
      params: key,
      body: z.strictObject({ text: z.string().min(1).max(10_000) }),
      result: () => z.object({ question_id: z.string() }),
      failures: { 409: 'nothing takes a reply of this session now', 410: 'nobody waits for it any more' },
    }),
  'sessions.continue': () =>
    act({
      summary: 'Lets a session go on that a limit, a server error or a network error stopped',
      params: key,
      body: z.strictObject({
        when: z
          .enum(['now', 'reset', 'never'])
          .default('now')
          .meta({ description: 'reset: as its limit is over; never: Belfry does not continue it' }),
      }),
      result: () =>
        z.object({
          result: z.enum(['continued', 'held', 'planned', 'off']).meta({
            description: 'held: it was given its instruction, and no prompt followed; off: Belfry does not continue it',
          }),
          at: maybeTime.meta({ description: 'when it goes on' }),
          why: z.string().nullable(),
        }),
      failures: { 409: 'it has not stopped, or only its terminal takes an instruction' },
    }),
  'sessions.focus': () =>
    act({
      summary: 'Brings the window, tab and pane of a session to the front, on this machine',
      params: key,
      result: () =>
        z.object({
          done: z.enum(['all', 'some']),
          steps: z.array(z.object({ what: z.enum(['pane', 'window']), done: z.boolean(), text: z.string() })),
        }),
      failures: { 403: 'the request comes from another machine', 409: 'nothing could be brought to the front' },
    }),
} as const;
