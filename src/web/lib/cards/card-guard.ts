// Whether a press on a card counts: only on what stood still, at the same place and in sight, for half a second, and that was read.
import { type ReadonlySignal, signal } from '@preact/signals';

/** Ms that a card has to have stood still, or had the focus, before anything in it takes a press. */
const STILL = 500;
/** Ms between two looks at where cards are; each press looks as well. */
const LOOK = 100;

const MOVED = 'It has just moved: look again, then press (nothing was sent)';
const NOT_YET = 'Keys act on what had the focus for half a second: look, then press again (nothing was sent)';
const UNSEEN = 'First see the end of what is asked (nothing was sent)';

const guards = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls `look` until the returned function is called. */
function lookOften(look: () => void): () => void {
  guards.add(look);
  timer ??= setInterval(() => {
    for (const one of guards) one();
  }, LOOK);
  return () => {
    guards.delete(look);
    if (guards.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Where a card and its buttons are in the window, to the pixel, and which of them something lies over. */
function placeOf(card: HTMLElement): string {
  const { left, top, bottom } = card.getBoundingClientRect();
  if (bottom < 0 || top > window.innerHeight) return 'out of view';
  const buttons = [...card.querySelectorAll('button')].map((button) => {
    const box = button.getBoundingClientRect();
    const middle = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return [box.left, box.top, box.width, box.height].map(Math.round).join() + button.contains(middle);
  });
  return [Math.round(left), Math.round(top), ...buttons].join(' ');
}

/** Of one card. */
export class CardGuard {
  readonly #still = signal(false);
  readonly #seen = signal(false);
  #card: HTMLElement | null = null;
  #row: string | null = null;
  #place = '';
  #since = 0;
  #looked = 0;
  #focused: number | null = null;
  #pressed: { readonly on: EventTarget | null; readonly since: number } | null = null;

  /** It has stood still for long enough. */
  readonly still: ReadonlySignal<boolean> = this.#still;
  /** Its texts were in view, beginning and end. */
  readonly seen: ReadonlySignal<boolean> = this.#seen;

  /** Watches the card from now on; returns what ends it. `row`: the key of its row in a list, whose focus is that of the card. */
  watch(card: HTMLElement, row: string | null = null): () => void {
    this.#card = card;
    this.#row = row;
    const follow = (at: EventTarget | null): void => {
      this.#focused = this.#isAt(at) ? (this.#focused ?? performance.now()) : null;
    };
    const enter = ({ target }: FocusEvent): void => follow(target);
    const leave = ({ relatedTarget }: FocusEvent): void => follow(relatedTarget);
    document.addEventListener('focusin', enter);
    document.addEventListener('focusout', leave);
    card.addEventListener('keydown', refuseHeld);
    follow(document.activeElement);
    this.#look();
    const end = lookOften(() => this.#look());
    return () => {
      end();
      document.removeEventListener('focusin', enter);
      document.removeEventListener('focusout', leave);
      card.removeEventListener('keydown', refuseHeld);
      this.#card = null;
    };
  }

  #isAt(target: EventTarget | null): boolean {
    if (!(target instanceof HTMLElement)) return false;
    return this.#card?.contains(target) === true || (this.#row !== null && target.dataset['row'] === this.#row);
  }

  /** Watches the edges of its texts, which are others now; returns what ends it. */
  watchText(card: HTMLElement): () => void {
    this.#place = ''; // another text is another card, wherever it stands
    this.#look();
    return watchEdges(card, (seen) => {
      this.#seen.value = seen;
    });
  }

  /** Notes where a press begins. */
  readonly press = ({ currentTarget }: PointerEvent): void => {
    this.#pressed = this.#look() ? { on: currentTarget, since: this.#since } : null;
  };

  /** Why this click does not count, for a person; null: it does. `whole`: it needs all of the text to have been seen. */
  refusal({ detail, currentTarget }: MouseEvent, whole: boolean): string | null {
    const isKey = detail === 0; // or what stands for one
    if ((whole || isKey) && !this.#seen.value) return UNSEEN;
    if (!this.#look()) return MOVED;
    if (!isKey) return this.#pressed?.on === currentTarget && this.#pressed.since === this.#since ? null : MOVED;
    const since = this.#isAt(document.activeElement) ? this.#focused : null;
    return since !== null && performance.now() - since >= STILL ? null : NOT_YET;
  }

  /** Whether it has stood still until now. */
  #look(): boolean {
    if (this.#card === null) return false;
    const now = performance.now();
    const place = placeOf(this.#card);
    // Nobody knows where it was while nobody looked: the tab was hidden, or the browser busy.
    if (place !== this.#place || now - this.#looked > STILL) {
      this.#place = place;
      this.#since = now;
    }
    this.#looked = now;
    this.#still.value = now - this.#since >= STILL;
    return this.#still.value;
  }
}

/** A key that is held was pressed for something else. */
function refuseHeld(event: KeyboardEvent): void {
  const isPress = event.key === 'Enter' || event.key === ' ';
  if (event.repeat && isPress && event.target instanceof HTMLButtonElement) event.preventDefault();
}

/** Each element with `data-edge` has to have been in view. */
function watchEdges(element: HTMLElement, tell: (seen: boolean) => void): () => void {
  const left = new Set<Element>(element.querySelectorAll('[data-edge]'));
  tell(left.size === 0);
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting) {
          left.delete(target);
          observer.unobserve(target);
        }
      if (left.size === 0) tell(true);
    },
    { threshold: 1 },
  );
  for (const edge of left) observer.observe(edge);
  return () => observer.disconnect();
}
