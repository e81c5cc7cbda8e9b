// What just happened, at the edge of the window and to screen readers; and what is new, to screen readers alone.
import { signal } from '@preact/signals';

interface Announced {
  readonly text: string;
  readonly how: 'done' | 'failed';
  /** Undoes it; null: it cannot be undone. */
  readonly undo: (() => Promise<void>) | null;
}

const announced = signal<Announced | null>(null);
/** Ms that it stays. */
const STAYS = 6_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says it to everybody. */
export function announce(text: string, how: Announced['how'], undo: Announced['undo'] = null): void {
  clearTimeout(timer);
  announced.value = { text, how, undo };
  timer = setTimeout(() => {
    announced.value = null;
  }, STAYS);
}

const news = signal('');

/** Says to those who hear the page what those who see it see. */
export function announceNew(text: string): void {
  news.value = text;
}

export function Announcer() {
  const shown = announced.value;
  return (
    <>
      <div class="announcer" role="status" aria-live="polite">
        {shown === null ? null : (
          <p class={shown.how}>
            {shown.text}
            {shown.undo === null ? null : (
              <button type="button" aria-keyshortcuts="z" onClick={() => void shown.undo?.()}>
                Undo
              </button>
            )}
          </p>
        )}
      </div>
      <div class="hidden" aria-live="polite" data-news>
        {news.value}
      </div>
    </>
  );
}
