// What the keys do.
import { goTo } from './place.ts';

interface Key {
  readonly key: string;
  readonly does: string;
  readonly press: () => void;
  /** It goes on while the key is held. */
  readonly repeats?: true;
}

export const KEYS: readonly Key[] = [
  { key: 'j', does: 'next in the list', press: () => step(1), repeats: true },
  { key: 'k', does: 'previous in the list', press: () => step(-1), repeats: true },
  { key: 'a', does: 'acknowledge the one you are at', press: acknowledge },
  { key: '/', does: 'search', press: () => focusOn('input[type=search]') },
  ...(['Now', 'Events', 'Deliveries', 'Channels', 'Rules', 'Usage'] as const).map((title, index) => ({
    key: String(index + 1),
    does: title,
    press: () => goTo(index === 0 ? '/' : `/${title.toLowerCase()}`),
  })),
  { key: '?', does: 'these keys', press: () => undefined },
];

/** Whether the key does something. `isHeld`: it was pressed before, and is down since. */
export function pressKey(key: string, isHeld: boolean): boolean {
  const found = KEYS.find((one) => one.key === key);
  if (found === undefined || (isHeld && found.repeats !== true)) return false;
  found.press();
  return true;
}

/** Goes from item to item of the page, in their order. */
function step(by: 1 | -1): void {
  const items = [...document.querySelectorAll<HTMLElement>('[data-item]')];
  const at = items.findIndex((item) => item.contains(document.activeElement));
  const next = items[at < 0 ? (by === 1 ? 0 : items.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** Its card says whether the press counts. */
function acknowledge(): void {
  const card = document.activeElement?.closest('[data-notification]');
  card?.querySelector<HTMLElement>('button[aria-label^="Acknowledge"]')?.click();
}

const focusOn = (selector: string): void => document.querySelector<HTMLElement>(selector)?.focus();
