// The way to each page, and the switch of light and dark.
import { place } from '../lib/place.ts';
import { nextTheme, theme } from '../lib/theme.ts';

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
      <button type="button" class="theme" onClick={nextTheme}>
        <span class="hidden">Colors: </span>
        {{ system: 'Auto', light: 'Light', dark: 'Dark' }[theme.value]}
      </button>
    </header>
  );
}

const isAt = (href: string, path: string): boolean =>
  href === '/' ? path === '/' || path.startsWith('/sessions/') : path.startsWith(href);
