// The way to each page, and the switch of light and dark. Where the window is narrow, the later pages are behind one button.
import { useEffect, useState } from 'preact/hooks';
import { PAGES, place } from '../../lib/place.ts';
import { BELL } from '../../lib/tab-title.ts';
import { nextTheme, theme } from '../../lib/theme.ts';

/** Pages that are always shown. */
const FIRST = 3;

export function Navigation({ waiting }: { readonly waiting: number }) {
  const { path } = place.value;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  return (
    <header class="frame">
      <a class="brand" href="/">
        <svg viewBox="0 0 32 32" width="18" height="18" aria-hidden="true">
          <path d={BELL} />
        </svg>
        Belfry
      </a>
      <nav aria-label="Pages" class={isOpen ? 'open' : undefined}>
        {PAGES.map(([href, title], at) => (
          <a
            key={href}
            href={href}
            class={at < FIRST ? undefined : 'later'}
            aria-current={isAt(href, path) ? 'page' : undefined}
          >
            {title}
            {href === '/' && waiting > 0 ? (
              <span class="waiting">
                {waiting}
                <span class="hidden"> waiting</span>
              </span>
            ) : null}
          </a>
        ))}
        <button type="button" class="more-pages" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          More
        </button>
      </nav>
      <button type="button" class="theme" title="Colors: as the system, light or dark" onClick={nextTheme}>
        <span aria-hidden="true">◐ </span>
        <span class="hidden">Colors: </span>
        {{ system: 'Auto', light: 'Light', dark: 'Dark' }[theme.value]}
      </button>
    </header>
  );
}

const isAt = (href: string, path: string): boolean => (href === '/' ? path === '/' : path.startsWith(href));
