// What keeps the script of a frame short where a list is long: a part is drawn again only when it is another one, and rows come in portions.
import { Component, type ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** The part, drawn again only where one of its properties is another one, or a signal that it reads. */
export function kept<P extends object>(Part: (props: P) => ComponentChildren) {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const before = new Map<string, unknown>(Object.entries(this.props));
      return Object.entries(next).some(([name, value]) => before.get(name) !== value);
    }

    override render() {
      return <Part {...this.props} />;
    }
  };
}

/** Rows that are drawn in one frame. */
const PORTION = 30;

/** How many rows of a list of so many are drawn by now: a portion more with each frame. */
export function usePortions(total: number): number {
  const [drawn, setDrawn] = useState(PORTION);
  useEffect(() => {
    if (drawn >= total && drawn <= total + PORTION) return;
    // Of a list that has become shorter the rest is drawn in portions again.
    const frame = requestAnimationFrame(() => setDrawn(Math.min(drawn, total) + PORTION));
    return () => cancelAnimationFrame(frame);
  }, [drawn, total]);
  return drawn;
}
