// The mock's analytics: sums over the users' days, always the same for the same seed and date.
import type { Contract } from '../api/contract/contract.ts';
import { addDays, daysBetween, FIRST_DAY } from '../api/contract/days.ts';
import type { Output } from '../api/contract/endpoint.ts';
import { people } from './people.ts';
import { type Handlers, Refusal } from './service.ts';
import { activityRow, productivityRow, tokenRow, toolRow, userRow } from './analytics-rows.ts';
import { type Workday, workday } from './user-day.ts';

type Analytics = Contract['analytics'];
type Page<M extends keyof Analytics> = Output<Analytics[M]>;
type Row<M extends keyof Analytics> = Page<M>['data'][number];
interface Range {
  readonly startDate: string;
  readonly endDate: string;
}
interface PageOfRange extends Range {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** What everybody did, day by day; made when it is asked for. */
class Workdays {
  readonly #seed: string;
  readonly #days = new Map<string, readonly Workday[]>();
  readonly everybody: ReturnType<typeof people>;

  constructor(seed: string) {
    this.#seed = seed;
    this.everybody = people(seed);
  }

  on(date: string): readonly Workday[] {
    const known = this.#days.get(date);
    if (known || date < FIRST_DAY) return known ?? [];
    const made = this.everybody.flatMap((person) => workday(this.#seed, person, date) ?? []);
    this.#days.set(date, made);
    return made;
  }

  /** People who did something in so many days up to this one. */
  active(date: string, past: number): number {
    const days = daysBetween(addDays(date, 1 - past), date);
    return new Set(days.flatMap((day) => this.on(day).map((work) => work.person.id))).size;
  }

  rows<R>(input: Range, row: (date: string, work: readonly Workday[]) => R[]) {
    const data = daysBetween(input.startDate, input.endDate).flatMap((date) => row(date, this.on(date)));
    return { data, meta: meta(input) };
  }
}

const meta = (input: Range) => ({
  org_id: 'org_sandbox',
  start_date: input.startDate,
  end_date: input.endDate,
});

/** Handlers of the analytics for this seed. */
export function analyticsOf(seed: string): Handlers['analytics'] {
  const days = new Workdays(seed);
  return {
    tokens: (input) =>
      days.rows<Row<'tokens'>>(input, (date, work) => {
        const day = tokenRow(date, work);
        if (!input.group_by) return [day];
        return day.by_model.map(({ model_id, billable_tokens, input_tokens, output_tokens }) => ({
          date,
          group_key: model_id,
          billable_tokens,
          input_tokens,
          output_tokens,
        }));
      }),
    tools: (input) =>
      days.rows<Row<'tools'>>(input, (date, work) => {
        const day = toolRow(date, work);
        if (!input.group_by) return [day];
        return day.by_tool.map(({ tool, invocations }) => ({ date, group_key: tool, tool_calls: invocations }));
      }),
    activity: (input) =>
      days.rows<Row<'activity'>>(input, (date, work) => {
        const day = activityRow(date, work, days.active(date, 7), days.active(date, 30));
        if (!input.group_by) return [day];
        return Object.entries(day.daily_active_users_by_client).map(([client, users]) => ({
          date,
          group_key: client,
          daily_active_users: users,
        }));
      }),
    productivity: (input) => days.rows(input, (date, work) => [productivityRow(date, work)]),
    users: (input) => usersPage(days, input),
  };
}

/** One page of people, each with all of their days. */
function usersPage(days: Workdays, input: PageOfRange): Page<'users'> {
  const all = days.rows(input, (date, work) => work.map((one) => ({ date, work: one }))).data;
  if (input.cursor !== undefined && !days.everybody.some(({ id }) => id === input.cursor))
    throw new Refusal(400, 'Bad Request', 'the cursor is not one of this list');
  const ids = [...new Set(all.map(({ work }) => work.person.id))].sort().filter((id) => id > (input.cursor ?? ''));
  const byId = new Map<string, typeof all>();
  for (const one of all) byId.set(one.work.person.id, [...(byId.get(one.work.person.id) ?? []), one]);
  const page = ids.slice(0, input.limit ?? 20);
  const more = ids.length > page.length;
  return {
    data: page.flatMap((id) => (byId.get(id) ?? []).map(({ date, work }) => userRow(date, work))),
    meta: { ...meta(input), has_more: more, next_cursor: more ? (page.at(-1) ?? null) : null },
  };
}
