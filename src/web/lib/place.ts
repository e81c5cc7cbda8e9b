// Where the person is: the address, as a signal; links of the page change it without a reload, and back finds the place that was left.
import { signal } from '@preact/signals';

export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** The pages of the navigation, each with the letter that goes there after `g`. */
export const PAGES = [
  ['/', 'Inbox', 'i'],
  ['/sessions', 'Sessions', 's'],
  ['/events', 'Events', 'e'],
  ['/deliveries', 'Deliveries', 'd'],
  ['/channels', 'Channels', 'c'],
  ['/rules', 'Rules', 'r'],
  ['/usage', 'Usage', 'u'],
] as const;

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });

export const place = signal<Place>(here());

/** How far down each entry of the history was left, by its number in this tab. */
const scrolled = new Map<number, number>();
let entry = entryNumber() ?? 0;
let latest = entry;

function entryNumber(): number | null {
  const state = history.state as { readonly entry?: unknown } | null;
  return typeof state?.entry === 'number' ? state.entry : null;
}

/** Goes to an address of the page. */
export function goTo(href: string): void {
  scrolled.set(entry, window.scrollY);
  latest += 1;
  entry = latest;
  history.pushState({ entry }, '', href);
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
  history.replaceState({ entry }, '', text === '' ? location.pathname : `${location.pathname}?${text}`);
  place.value = here();
}

/** Links of the page, and the browser's back and forward. */
export function followLinks(): void {
  history.scrollRestoration = 'manual';
  window.addEventListener('popstate', () => {
    scrolled.set(entry, window.scrollY);
    entry = entryNumber() ?? 0;
    place.value = here();
    scrollBack(scrolled.get(entry) ?? 0);
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

/** Ms in which a list has to be long enough again. */
const PATIENCE = 1_500;

/** Once what is drawn is as long as it was, unless somebody scrolls first. */
function scrollBack(to: number): void {
  const end = performance.now() + PATIENCE;
  const at = entry;
  const look = (): void => {
    if (entry !== at) return;
    window.scrollTo(0, to);
    if (Math.abs(window.scrollY - to) > 1 && performance.now() < end) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
