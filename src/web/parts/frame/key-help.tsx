// The keys of the page: what they do, shown by `?`.
import { useEffect, useRef } from 'preact/hooks';
import { KEYS, pressKey } from '../../lib/keyboard.ts';

/** What is printed on keys that go by another name. */
const NAMES: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑', PageDown: 'Page ↓' };

export function KeyHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') leaveField(event.target);
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '?' && !event.repeat) dialog.current?.showModal();
      else if (dialog.current?.open !== true && pressKey(event.key, event.repeat)) event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <dl class="keys">
        {KEYS.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              <kbd>
                {keys.length > 2 ? `${keys[0]}–${keys.at(-1)}` : keys.map((key) => NAMES[key] ?? key).join(' ')}
              </kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}

/** Fields of choices too: half an answer is no place for a key that leaves the page. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select');

/** Back to the list, so that keys do what they do there. */
function leaveField(target: EventTarget | null): void {
  if (!(target instanceof HTMLElement) || !isTyping(target)) return;
  target.blur();
  document.querySelector<HTMLElement>('[data-row][aria-current="true"]')?.focus();
}
