// The frame: navigation, what is said to everybody, and the page that the address names.
import { useEffect } from 'preact/hooks';
import { access } from './api/access.ts';
import { useLive } from './api/live.ts';
import { readWaiting, type Waiting } from './api/what-waits.ts';
import type { Live } from './api/live.ts';
import { place } from './lib/place.ts';
import { showInTab } from './lib/tab-title.ts';
import { PLACES } from './places.tsx';
import { Announcer } from './parts/frame/announcer.tsx';
import { ConnectionBanner } from './parts/frame/connection-banner.tsx';
import { EmptyState } from './parts/reading/empty-state.tsx';
import { KeyHelp } from './parts/frame/key-help.tsx';
import { Navigation } from './parts/frame/navigation.tsx';
import { SessionOver } from './parts/frame/session-over.tsx';

export function App() {
  if (access.value === 'entering') return null;
  return access.value === 'out' ? <SessionOver /> : <Frame />;
}

function Frame() {
  const waiting = useLive('waiting', ['notification', 'question', 'delivery'], readWaiting);
  const count =
    waiting.value === undefined ? 0 : waiting.value.items.length + waiting.value.total - waiting.value.listed;
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Navigation waiting={count} />
      <ConnectionBanner />
      <main id="main" tabIndex={-1}>
        <Page waiting={waiting} count={count} />
      </main>
      <KeyHelp />
      <Announcer />
    </>
  );
}

function Page({ waiting, count }: { readonly waiting: Live<Waiting>; readonly count: number }) {
  const { path } = place.value;
  const found = PLACES.find(({ pattern }) => pattern.test(path));
  useEffect(() => showInTab(found?.title ?? '', count), [found, count]);
  const named = decoded(found?.pattern.exec(path)?.[1] ?? '');
  if (found === undefined) return <EmptyState title="There is nothing at this address" />;
  return <div key={path}>{found.draw({ waiting, named })}</div>;
}

/** A segment of the address; one that is not encoded well stands for itself. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
