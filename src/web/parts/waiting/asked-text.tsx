// What an agent asks, in full; a text that does not fit is cut, and says how much of it is left.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { counted } from '../../lib/terms.ts';

/** Lines that are shown at first; the style sheet cuts after as many. */
const SHOWN = 14;

export function AskedText({ text }: { readonly text: string }) {
  const inner = useRef<HTMLElement>(null);
  const [isWhole, setWhole] = useState(false);
  const [left, setLeft] = useState(0);
  useLayoutEffect(() => {
    const code = inner.current;
    if (code === null) return undefined;
    const measure = (): void => {
      const line = Number.parseFloat(getComputedStyle(code).lineHeight);
      setLeft(Math.max(0, Math.round(code.getBoundingClientRect().height / line) - SHOWN));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(code);
    return () => observer.disconnect();
  }, []);
  const isCut = left > 0 && !isWhole;
  if (text === '') return null;
  return (
    <div>
      <pre class={isCut ? 'asked cut' : 'asked'}>
        <code ref={inner}>
          <span class="edge" data-edge />
          {text}
          <span class="edge" data-edge />
        </code>
      </pre>
      {isCut ? (
        <button type="button" class="expand" onClick={() => setWhole(true)}>
          {counted(left, 'more line')}
        </button>
      ) : null}
    </div>
  );
}
