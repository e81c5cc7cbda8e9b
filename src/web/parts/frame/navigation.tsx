// The way to each page, and the switch of light and dark.
import { place } from '../../lib/place.ts';
import { BELL } from '../../lib/tab-title.ts';
import { nextTheme, theme } from '../../lib/theme.ts';

const LINKS = [
  ['/', 'Now'],
  ['/events', 'Events'],
  ['/deliveries', 'Deliveries'],
  ['/channels', 'Channels'],
  ['/rules', 'Rules'],
  ['/usage', 'Usage'],
] as const;

export function Navigation({ waiting }: { readonly waiting: number }) {
  const { path } = place.value;
  return (
    <header>
      <a class="brand" href="/">
        <svg viewBox="0 0 32 32" width="18" height="18" aria-hidden="true">
          <path d={BELL} />
        </svg>
        Belfry
      </a>
      <nav aria-label="Pages">
        {LINKS.map(([href, title]) => (
          <a key={href} href={href} aria-current={isAt(href, path) ? 'page' : undefined}>
            {title}
            {href === '/' && waiting > 0 ? (
              <span class="waiting">
                {waiting}
                <span class="hidden"> waiting</span>
              </span>
            ) : null}
          </a>
        ))}
      </nav>
      <button type="button" class="theme" title="Colors: as the system, light or dark" onClick={nextTheme}>
        <span class="hidden">Colors: </span>
        {{ system: 'Auto', light: 'Light', dark: 'Dark' }[theme.value]}
      </button>
    </header>
  );
}

const isAt = (href: string, path: string): boolean =>
  href === '/' ? path === '/' || path.startsWith('/sessions/') : path.startsWith(href);
