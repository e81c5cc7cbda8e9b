// Usage: how the organization uses its agents, what became of its repositories, settings and computers, and its limits.
import type { ComponentChildren } from 'preact';
import { isServiceMissing } from '../api/service.ts';
import { now } from '../lib/clock.ts';
import { dayOf, firstOf, yesterday } from '../lib/usage/days.ts';
import { isNarrow } from '../lib/narrow.ts';
import { goTo, place } from '../lib/place.ts';
import { VIEWS } from '../lib/usage/usage-views.ts';
import { EmptyState } from '../parts/reading/empty-state.tsx';
import { ComputerList } from '../parts/usage/computer-list.tsx';
import { ControlHistory } from '../parts/usage/control-history.tsx';
import { DayRange } from '../parts/usage/day-range.tsx';
import { LimitForm } from '../parts/usage/limit-form.tsx';
import { ReadinessHistory } from '../parts/usage/readiness-history.tsx';
import { UsageDays } from '../parts/usage/usage-days.tsx';

interface Range {
  readonly from: string;
  readonly to: string;
}

interface Tab {
  /** In the address. */
  readonly name: string;
  readonly title: string;
  /** Days that are shown where the address names none; null: it has no days. */
  readonly days: number | null;
  /** Whether today counts too. */
  readonly today: boolean;
  readonly draw: (range: Range) => ComponentChildren;
}

const TABS: readonly Tab[] = [
  ...VIEWS.map((view) => ({
    name: view.name,
    title: view.title,
    days: 28,
    today: false,
    draw: (range: Range) => <UsageDays view={view} {...range} />,
  })),
  {
    name: 'readiness',
    title: 'Readiness',
    days: 180,
    today: true,
    draw: (range) => <ReadinessHistory {...range} />,
  },
  { name: 'controls', title: 'Controls', days: 90, today: true, draw: (range) => <ControlHistory {...range} /> },
  { name: 'computers', title: 'Computers', days: null, today: true, draw: () => <ComputerList /> },
  { name: 'limits', title: 'Limits', days: null, today: true, draw: () => <LimitForm /> },
];

export function UsagePage() {
  const { query } = place.value;
  const tab = TABS.find(({ name }) => name === query.get('show')) ?? TABS[0];
  if (tab === undefined) return null;
  const { name, title, days, today, draw } = tab;
  const last = today ? dayOf(now.value) : yesterday(now.value);
  const range = { from: query.get('from') ?? firstOf(days ?? 1, last), to: query.get('to') ?? last };
  const shown = <div key={`${name} ${range.from} ${range.to}`}>{draw(range)}</div>;
  if (isServiceMissing.value)
    return (
      <>
        <h1>Usage</h1>
        <EmptyState title="No service is configured">
          Set <code>base_url</code> and <code>key</code> under <code>[api]</code> in <code>config.toml</code> to see how
          your organization uses its agents.
        </EmptyState>
      </>
    );
  return (
    <>
      <h1>Usage</h1>
      {isNarrow.value ? (
        <label class="field lead-in">
          <span>What is shown</span>
          <select value={name} onChange={(event) => goTo(addressOf(event.currentTarget.value, query))}>
            {TABS.map((one) => (
              <option key={one.name} value={one.name}>
                {one.title}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <nav class="tabs" aria-label="What is shown">
          {TABS.map((one) => (
            <a key={one.name} href={addressOf(one.name, query)} aria-current={one === tab ? 'page' : undefined}>
              {one.title}
            </a>
          ))}
        </nav>
      )}
      <h2 class="hidden">{title}</h2>
      {days === null ? null : (
        <>
          <DayRange {...range} last={last} />
          <p class="meta lead-in">
            {today ? 'Days in UTC, through this minute.' : `Days in UTC. Data through yesterday, ${last}.`}
          </p>
        </>
      )}
      {shown}
    </>
  );
}

/** Another view of the same days. */
function addressOf(name: string, query: URLSearchParams): string {
  const next = new URLSearchParams(query);
  next.set('show', name);
  return `/usage?${next}`;
}
