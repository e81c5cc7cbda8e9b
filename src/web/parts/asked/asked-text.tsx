// What an agent asks, in full; what does not fit is cut, and says how much of it is left.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { counted } from '../../lib/terms.ts';

/** Lines that are shown at first; the style sheet cuts after as many. */
const SHOWN = 14;

interface AskedTextProps {
  /** Text as it was written, or something that is laid out. */
  readonly look: 'code' | 'prose';
  readonly children: ComponentChildren;
}

export function AskedText({ look, children }: AskedTextProps) {
  const inner = useRef<HTMLDivElement>(null);
  const [isWhole, setWhole] = useState(false);
  const [left, setLeft] = useState(0);
  useLayoutEffect(() => {
    const text = inner.current;
    if (text === null) return undefined;
    const measure = (): void => {
      const line = Number.parseFloat(getComputedStyle(text).lineHeight);
      setLeft(Math.max(0, Math.round(text.getBoundingClientRect().height / line) - SHOWN));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(text);
    return () => observer.disconnect();
  }, []);
  const isCut = left > 0 && !isWhole;
  return (
    <div class={`asked ${look} ${isCut ? 'cut' : ''}`}>
      <div class="asked-window">
        <div ref={inner} class="asked-whole">
          <span class="edge" data-edge />
          {children}
          <span class="edge end" data-edge />
        </div>
      </div>
      {isCut ? (
        <button type="button" class="expand" data-key="expand" onClick={() => setWhole(true)}>
          {counted(left, 'more line')}
        </button>
      ) : null}
    </div>
  );
}
