// The addresses of the page, each with what is drawn there.
import type { ComponentChildren } from 'preact';
import { ChannelsPage } from './pages/channels.tsx';
import { DeliveriesPage } from './pages/deliveries.tsx';
import { EventPage } from './pages/event.tsx';
import { EventsPage } from './pages/events.tsx';
import { InboxPage } from './pages/inbox.tsx';
import { RulesPage } from './pages/rules.tsx';
import { SessionPage } from './pages/session.tsx';
import { SessionsPage } from './pages/sessions.tsx';
import { LazyPage } from './parts/lazy-page.tsx';

interface KnownPlace {
  readonly title: string;
  readonly pattern: RegExp;
  /** `named`: what the address names. */
  readonly draw: (named: string) => ComponentChildren;
}

const loadUsage = () => import('./pages/usage.tsx').then(({ UsagePage }) => UsagePage);

export const PLACES: readonly KnownPlace[] = [
  { title: 'Inbox', pattern: /^\/$/, draw: () => <InboxPage /> },
  { title: 'Sessions', pattern: /^\/sessions$/, draw: () => <SessionsPage /> },
  { title: 'Session', pattern: /^\/sessions\/([^/]+)$/, draw: (named) => <SessionPage name={named} /> },
  { title: 'Events', pattern: /^\/events$/, draw: () => <EventsPage /> },
  { title: 'Event', pattern: /^\/events\/([^/]+)$/, draw: (named) => <EventPage id={named} /> },
  { title: 'Deliveries', pattern: /^\/deliveries$/, draw: () => <DeliveriesPage /> },
  { title: 'Channels', pattern: /^\/channels$/, draw: () => <ChannelsPage /> },
  { title: 'Rules', pattern: /^\/rules$/, draw: () => <RulesPage /> },
  { title: 'Usage', pattern: /^\/usage$/, draw: () => <LazyPage load={loadUsage} /> },
];
