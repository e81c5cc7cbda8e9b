// What the keys do.
import { focusEntry, step } from '../store/go-on.ts';
import { goTo, PAGES } from './place.ts';
import { undoLast } from './undo.ts';

interface Key {
  readonly keys: readonly string[];
  readonly does: string;
  readonly press: (key: string) => void;
  /** It goes on while the key is held. */
  readonly repeats?: true;
}

export const KEYS: readonly Key[] = [
  { keys: ['j', 'ArrowDown'], does: 'next in the list', press: () => go(1), repeats: true },
  { keys: ['k', 'ArrowUp'], does: 'previous in the list', press: () => go(-1), repeats: true },
  { keys: ['y'], does: 'allow, or send the answer', press: pressButton },
  { keys: ['n'], does: 'deny', press: pressButton },
  { keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], does: 'tick an option', press: tick },
  { keys: ['r'], does: 'write a reply, or why not; Ctrl and Enter send it', press: pressButton },
  { keys: ['e'], does: 'acknowledge', press: pressButton },
  { keys: ['h'], does: 'mute the session for an hour, or end that', press: pressButton },
  { keys: ['p'], does: 'hold escalation and reminders for 10 minutes', press: pressButton },
  { keys: ['z'], does: 'undo a mute, its end, or a hold', press: () => void undoLast() },
  { keys: ['PageDown'], does: 'read on', press: readOn, repeats: true },
  { keys: ['/'], does: 'search or command', press: () => focusOn('input[type=search]') },
  {
    keys: ['g'],
    does: `go to a page: ${PAGES.map(([, title, letter]) => `${letter} ${title}`).join(', ')}`,
    press: expectPage,
  },
  { keys: ['?'], does: 'these keys', press: () => undefined },
];

/** Ms in which the letter of a page has to follow `g`. */
const PATIENCE = 1_500;
let pageUntil = 0;

function expectPage(): void {
  pageUntil = performance.now() + PATIENCE;
}

/** Whether the key does something. `isHeld`: it was pressed before, and is down since. */
export function pressKey(key: string, isHeld: boolean): boolean {
  const page = performance.now() < pageUntil ? PAGES.find(([, , letter]) => letter === key) : undefined;
  if (page !== undefined) {
    pageUntil = 0;
    goTo(page[0]);
    return true;
  }
  const found = KEYS.find(({ keys }) => keys.includes(key));
  if (found === undefined || (isHeld && found.repeats !== true)) return false;
  found.press(key);
  return true;
}

/** The inbox goes by its entries, other pages by their links. */
function go(by: 1 | -1): void {
  if (document.querySelector('[data-row]') !== null) {
    step(by);
    return;
  }
  const items = [...document.querySelectorAll<HTMLElement>('[data-item]')];
  const at = items.findIndex((item) => item.contains(document.activeElement));
  const next = items[at < 0 ? (by === 1 ? 0 : items.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** The card that is looked at: that of the row or of the place that has the focus, else the only one. */
function card(): Element | null {
  const own = document.activeElement?.closest('[data-subject]');
  const all = document.querySelectorAll('[data-subject]');
  return own ?? (all.length === 1 ? (all[0] ?? null) : null);
}

/** Its card says whether the press counts; where the focus was elsewhere it does not, and what is looked at has the focus for the next one. */
function pressButton(key: string): void {
  const shown = card();
  const target = shown?.querySelector<HTMLElement>(`[data-key="${key}"]`);
  if (target instanceof HTMLTextAreaElement) target.focus();
  else target?.click();
  const name = shown instanceof HTMLElement ? shown.dataset['subject'] : undefined;
  if (name === undefined || document.activeElement?.closest(`[data-subject], [data-row="${CSS.escape(name)}"]`)) return;
  focusEntry(name);
}

/** Of the first choice that has nothing yet, else of the first. */
function tick(key: string): void {
  const fields = [...(card()?.querySelectorAll('fieldset.choices') ?? [])];
  const field = fields.find((one) => one.querySelector(':checked') === null) ?? fields[0];
  field?.querySelectorAll<HTMLElement>('input[type="radio"], input[type="checkbox"]')[Number(key) - 1]?.click();
}

/** First all of the text, then further down in it. */
function readOn(): void {
  const more = card()?.querySelector<HTMLElement>('[data-key="expand"]');
  if (more !== null && more !== undefined) {
    more.click();
    return;
  }
  const pane = document.querySelector('[data-scroll]');
  const isOwn =
    pane !== null && pane.scrollHeight > pane.clientHeight && getComputedStyle(pane).overflowY !== 'visible';
  const target = isOwn ? pane : document.scrollingElement;
  target?.scrollBy({ top: (isOwn ? pane.clientHeight : window.innerHeight) * 0.8 });
}

const focusOn = (selector: string): void => document.querySelector<HTMLElement>(selector)?.focus();
