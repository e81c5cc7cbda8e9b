// The frame: navigation, what is said to everybody, and the page that the address names.
import { useEffect } from 'preact/hooks';
import { access } from './api/access.ts';
import { follows } from './api/stream-turn.ts';
import { place } from './lib/place.ts';
import { showInTab, tabName } from './lib/tab-title.ts';
import { PLACES } from './places.tsx';
import { Announcer } from './parts/frame/announcer.tsx';
import { ConnectionBanner } from './parts/frame/connection-banner.tsx';
import { EmptyState } from './parts/reading/empty-state.tsx';
import { KeyHelp } from './parts/frame/key-help.tsx';
import { Navigation } from './parts/frame/navigation.tsx';
import { SessionOver } from './parts/frame/session-over.tsx';
import { Boundary } from './parts/boundary.tsx';
import { TabAtTheDoor } from './parts/frame/tab-at-the-door.tsx';
import { UpgradeBanner } from './parts/frame/upgrade-banner.tsx';
import { blocking } from './store/waiting.ts';

export function App() {
  if (access.value === 'entering') return null;
  return access.value === 'out' ? <SessionOver /> : <Frame />;
}

function Frame() {
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Navigation waiting={blocking.value} />
      <ConnectionBanner />
      <UpgradeBanner />
      <TabAtTheDoor />
      <main id="main" tabIndex={-1}>
        <Page count={blocking.value} />
      </main>
      <KeyHelp />
      <Announcer />
    </>
  );
}

function Page({ count }: { readonly count: number }) {
  const { path } = place.value;
  const found = PLACES.find(({ pattern }) => pattern.test(path));
  const title = tabName.value ?? found?.title ?? '';
  const known = follows.value ? count : 0; // a tab that does not follow would say what was
  useEffect(() => showInTab(title, known), [title, known]);
  const named = decoded(found?.pattern.exec(path)?.[1] ?? '');
  if (found === undefined) return <EmptyState title="There is nothing at this address" />;
  return (
    <Boundary key={path} what="This page">
      {found.draw(named)}
    </Boundary>
  );
}

/** A segment of the address; one that is not encoded well stands for itself. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
