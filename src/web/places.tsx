// The addresses of the page, each with what is drawn there.
import type { ComponentChildren } from 'preact';
import type { Live } from './api/live.ts';
import type { Waiting } from './api/what-waits.ts';
import { ChannelsPage } from './pages/channels.tsx';
import { DeliveriesPage } from './pages/deliveries.tsx';
import { EventPage } from './pages/event.tsx';
import { EventsPage } from './pages/events.tsx';
import { NowPage } from './pages/now.tsx';
import { RulesPage } from './pages/rules.tsx';
import { SessionPage } from './pages/session.tsx';
import { UsagePage } from './pages/usage.tsx';

interface PlaceInput {
  readonly waiting: Live<Waiting>;
  /** What the address names. */
  readonly named: string;
}

interface KnownPlace {
  readonly title: string;
  readonly pattern: RegExp;
  readonly draw: (input: PlaceInput) => ComponentChildren;
}

export const PLACES: readonly KnownPlace[] = [
  { title: 'Now', pattern: /^\/$/, draw: ({ waiting }) => <NowPage waiting={waiting} /> },
  { title: 'Session', pattern: /^\/sessions\/([^/]+)$/, draw: ({ named }) => <SessionPage name={named} /> },
  { title: 'Events', pattern: /^\/events$/, draw: () => <EventsPage /> },
  { title: 'Event', pattern: /^\/events\/([^/]+)$/, draw: ({ named }) => <EventPage id={named} /> },
  { title: 'Deliveries', pattern: /^\/deliveries$/, draw: () => <DeliveriesPage /> },
  { title: 'Channels', pattern: /^\/channels$/, draw: () => <ChannelsPage /> },
  { title: 'Rules', pattern: /^\/rules$/, draw: () => <RulesPage /> },
  { title: 'Usage', pattern: /^\/usage$/, draw: () => <UsagePage /> },
];
