// What just happened, at the edge of the window and to screen readers.
import { signal } from '@preact/signals';

interface Said {
  readonly text: string;
  readonly how: 'done' | 'failed';
}

const said = signal<Said | null>(null);
/** Ms that it stays. */
const STAYS = 6_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says it to everybody. */
export function announce(text: string, how: Said['how']): void {
  clearTimeout(timer);
  said.value = { text, how };
  timer = setTimeout(() => {
    said.value = null;
  }, STAYS);
}

export function Announcer() {
  return (
    <div class="announcer" role="status" aria-live="polite">
      {said.value === null ? null : <p class={said.value.how}>{said.value.text}</p>}
    </div>
  );
}
