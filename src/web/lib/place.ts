// Where the person is: the address, as a signal; links of the page change it without a reload.
import { signal } from '@preact/signals';

export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });

export const place = signal<Place>(here());

/** Goes to an address of the page. */
export function goTo(href: string): void {
  history.pushState(null, '', href);
  place.value = here();
  window.scrollTo(0, 0);
  document.getElementById('main')?.focus({ preventScroll: true });
}

/** Changes the query, as a filter does; an empty value leaves its name out. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  history.replaceState(null, '', text === '' ? location.pathname : `${location.pathname}?${text}`);
  place.value = here();
}

/** Links of the page, and the browser's back and forward. */
export function followLinks(): void {
  window.addEventListener('popstate', () => {
    place.value = here();
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.origin !== location.origin || link.target !== '' || link.hasAttribute('download')) return;
    if (link.hash !== '' && link.pathname === location.pathname) return; // within the page, as the skip link
    event.preventDefault();
    goTo(link.pathname + link.search);
  });
}
