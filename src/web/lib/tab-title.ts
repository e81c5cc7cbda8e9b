// The tab's title and icon: how many things wait.
import { signal } from '@preact/signals';

/** What the page that is open is about, such as a session's title; null: nothing but what the page is. */
export const tabName = signal<string | null>(null);

/** The outline of a bell, 32 by 32. */
export const BELL = 'M16 4c-5 0-8 4-8 9v6l-3 5h22l-3-5v-6c0-5-3-9-8-9zm-3 22a3 3 0 0 0 6 0z';

/** A bell; with a mark in it while something waits. Colors of its own, since an icon follows no style sheet. */
function icon(waiting: number): string {
  const mark =
    waiting === 0
      ? ''
      : `<circle cx="23" cy="9" r="9" fill="#c2410c"/><text x="23" y="13.5" font-family="sans-serif" font-weight="700" font-size="13" text-anchor="middle" fill="#fff">${waiting > 9 ? '9+' : waiting}</text>`;
  const bell = `<path d="${BELL}" fill="#4f6bdc"/>`;
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${bell}${mark}</svg>`)}`;
}

/** `page`: what is open, in a word. */
export function showInTab(page: string, waiting: number): void {
  document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${page === '' ? '' : `${page} · `}Belfry`;
  document.querySelector('link[rel="icon"]')?.setAttribute('href', icon(waiting));
}
