// Light or dark: as the system says, or as somebody chose here.
import { signal } from '@preact/signals';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const KEY = 'belfry.theme';

const kept = localStorage.getItem(KEY);
export const theme = signal<Theme>(THEMES.find((one) => one === kept) ?? 'system');

/** Goes on to the next of the three. */
export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
  localStorage.setItem(KEY, theme.value);
  applyTheme();
}

/** Tells the style sheet. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = theme.value;
}
