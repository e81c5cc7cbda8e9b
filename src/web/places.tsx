// The addresses of the page, each with what is drawn there.
import type { ComponentChildren } from 'preact';
import type { Live } from './api/live.ts';
import type { Waiting } from './api/waiting.ts';
import { NowPage } from './pages/now.tsx';

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
];
