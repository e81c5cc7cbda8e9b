// What waits for a person: notifications to acknowledge, questions to answer.
import * as z from 'zod';
import { answerSchema } from '../../model/question/answering.ts';
import { KINDS } from '../../model/event/event.ts';
import { NOTIFICATION_STATES } from '../../model/notification/notification.ts';
import { act, read } from './endpoint.ts';
import { id, list, page } from './fields.ts';
import { kind, nextSteps, notificationRow, questionRow } from './rows.ts';

const one = z.object({ id });

export const notifications = {
  'notifications.list': () =>
    read({
      summary:
        'Open notifications: what holds an agent up first, then what went wrong, then the newest; other states where asked for',
      query: z.strictObject({ state: list(z.enum(NOTIFICATION_STATES)).default(['open']), limit: page.limit }),
      result: () =>
        z.object({
          notifications: z.array(notificationRow()),
          questions: z
            .array(questionRow())
            .meta({ description: 'open ones of no notification, with the open notifications' }),
          total: z.number().meta({ description: 'open ones in all, where they are asked for: the list may be cut' }),
        }),
    }),
  'notifications.ack': () =>
    act({
      summary: 'Acknowledges one: its unsent escalations and reminders are taken back',
      params: one,
      result: () =>
        z.object({
          id: z.string(),
          state: z.enum(NOTIFICATION_STATES),
          result: z.enum(['acknowledged', 'already']),
          why: z.string().nullable().meta({ description: 'who acknowledged it, or how it was resolved' }),
        }),
    }),
  'notifications.ackAll': () =>
    act({
      summary: 'Acknowledges all open ones of these kinds that ask nothing',
      body: z.strictObject({
        kinds: z.array(kind).min(1).max(KINDS.length),
        until: z.iso
          .datetime()
          .optional()
          .meta({ description: 'only those that are this old at least: what somebody has not seen yet stays' }),
        group: z.literal('done').optional().meta({ description: 'only those that went well, whatever their kind' }),
      }),
      result: () => z.object({ acknowledged: z.number() }),
    }),
  'notifications.postpone': () =>
    act({
      summary: 'Puts off its escalation and reminders by some minutes; acknowledging takes them back as ever',
      params: one,
      body: z.strictObject({
        minutes: z
          .number()
          .min(-1_440)
          .max(1_440)
          .refine((minutes) => minutes !== 0, 'must not be 0')
          .meta({
            description:
              'negative: brought back by so much, and by as much as it was put off at most; nothing comes before now',
          }),
      }),
      result: () => z.object({ id: z.string(), next: nextSteps() }),
      failures: { 409: 'it is not open any more, nothing of it is planned for later, or nothing of it was put off' },
    }),
  'questions.list': () =>
    read({
      summary: 'Questions that agents wait on',
      query: z.strictObject({
        state: list(z.enum(['open', 'answered', 'closed'])).default(['open']),
        limit: page.limit,
      }),
      result: () => z.object({ questions: z.array(questionRow()) }),
    }),
  'questions.answer': () =>
    act({
      summary: 'Answers a question as it was shown; the first answer wins',
      params: one,
      body: z.strictObject({
        answer: answerSchema,
        seen: z
          .string()
          .min(1)
          .max(100)
          .meta({ description: 'the value `seen` that came with the question as it was shown' }),
      }),
      result: () => z.object({ id: z.string(), by: z.string() }),
      failures: {
        409: 'somebody was first: `answered_by` says who',
        410: 'nobody waits for it any more, or the agent did not confirm that it took the answer: `detail` says which',
        412: 'it asks something else now: `question` is what, with its new `seen`',
      },
    }),
} as const;
