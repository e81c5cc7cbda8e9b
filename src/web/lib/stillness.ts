// Whether a press is meant for what it hits: what has just come, or has just got the focus, takes none.
import { useEffect, useRef } from 'preact/hooks';

/** Ms that something has to have been there, and the window to have had the focus. */
const STILL = 1_000;

/** Answers whether a press counts now. */
export function useStillness(): () => boolean {
  const since = useRef(performance.now());
  useEffect(() => {
    const begin = (): void => {
      since.current = performance.now();
    };
    window.addEventListener('focus', begin);
    return () => window.removeEventListener('focus', begin);
  }, []);
  return () => document.hasFocus() && performance.now() - since.current >= STILL;
}
