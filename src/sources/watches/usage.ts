// Watches usage: once a day, when yesterday (UTC) is there, its figures against the seven days before (sections 2.2 to 2.6).
import * as z from 'zod';
import type { Client } from '../../api/index.ts';
import { defineWatch, type Observation } from '../../model/watch/watch.ts';
import { dayAfter, type Figures, lines, formatNumber, shares, yesterdayOf } from './usage/day.ts';
import { readDays } from './usage/read.ts';

/** The last day reported. */
interface Cursor {
  readonly reported: string;
}

/** Days caught up after a long pause; older ones are left out. */
const MOST_DAYS = 31;

const threshold = z.number().positive().optional();
const schema = z.strictObject({
  at: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as "06:00"')
    .default('06:00')
    .meta({ description: 'Local time of the report' }),
  user_tokens_over: threshold.meta({ description: 'Billable tokens of one user in a day above which it is urgent' }),
  total_tokens_over: threshold.meta({ description: 'Billable tokens of all in a day above which it is urgent' }),
});
type Settings = z.output<typeof schema>;

/** `[watches.usage]`. */
export const usageWatch = defineWatch<Client, Settings, Cursor>({
  name: 'usage',
  schema,
  next: (settings, now) => nextTimeOfDay(settings.at, now),
  poll: async ({ client, settings, cursor, now, signal }) => {
    const newest = yesterdayOf(now);
    if (cursor === null) return { observations: [], cursor: { reported: newest } };
    const oldest = dayAfter(newest, 1 - MOST_DAYS);
    const observations: Observation[] = [];
    let reported = cursor.reported;
    for (
      let day = dayAfter(reported, 1) < oldest ? oldest : dayAfter(reported, 1);
      day <= newest;
      day = dayAfter(day, 1)
    ) {
      const read = await readDays(client, day, signal);
      if (read === null) break; // the daily batch is late: left to the next poll
      observations.push(toObservation(day, read, settings));
      reported = day;
    }
    return { observations, cursor: { reported }, ...(reported < newest ? { again: now + 3_600_000 } : {}) };
  },
  docs: {
    summary:
      'Once a day, the previous day (UTC): tokens by model and user, active users, tool calls, autonomy, commits and pull requests, compared with the mean of the seven days before. A user or a total above its threshold is urgent.',
    example: 'at = "06:00"\nuser_tokens_over = 5_000_000',
  },
});

interface Read {
  readonly day: Figures;
  readonly before: readonly Figures[];
  readonly models: readonly { name: string; tokens: number }[];
  readonly users: readonly { name: string; tokens: number }[];
}

function toObservation(day: string, read: Read, settings: Settings): Observation {
  const over: string[] = [];
  const total = read.day.tokens ?? 0;
  if (settings.total_tokens_over !== undefined && total > settings.total_tokens_over)
    over.push(
      `All together used ${formatNumber(total, 0)} tokens, over ${formatNumber(settings.total_tokens_over, 0)}`,
    );
  const most = settings.user_tokens_over;
  if (most !== undefined)
    for (const user of read.users.filter((entry) => entry.tokens > most).sort((a, b) => b.tokens - a.tokens))
      over.push(`${user.name} used ${formatNumber(user.tokens, 0)} tokens, over ${formatNumber(most, 0)}`);
  return {
    occurrence: `day ${day}`,
    kind: 'usage.daily',
    detail: over.length > 0 ? 'over' : null,
    urgency: over.length > 0 ? 'urgent' : 'normal',
    abnormal: false,
    title:
      over.length > 0 ? `Usage of ${day}: over the threshold` : `Usage of ${day}: ${formatNumber(total, 0)} tokens`,
    body: [
      ...over,
      ...lines(read.day, read.before),
      ...shares('Models', read.models),
      ...shares('Users', read.users),
    ].join('\n'),
    sessionId: null,
    project: null,
    // A day is whole when the next one begins.
    at: Date.parse(`${dayAfter(day, 1)}T00:00:00Z`),
    attributes: { date: day },
  };
}

/** Unix ms of the next `HH:MM` after `now`; a time that a clock change skips comes when the clock has jumped. */
export function nextTimeOfDay(at: string, now: number): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const day = new Date(now);
  for (let ahead = 0; ; ahead++) {
    const due = new Date(day.getFullYear(), day.getMonth(), day.getDate() + ahead, hours, minutes).getTime();
    if (due > now) return due;
  }
}
