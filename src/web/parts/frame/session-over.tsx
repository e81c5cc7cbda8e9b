// This tab may not read: says how to come in.
import { useEffect, useRef, useState } from 'preact/hooks';
import { access, enterByTab, isOpenedHere } from '../../api/access.ts';

export function SessionOver() {
  return (
    <main class="over" id="main">
      <h1>Open the page again</h1>
      {isOpenedHere() ? null : <ByOtherTab />}
      <p>
        This tab is not signed in, and no other tab of this browser signs it in: its address was used already, nothing
        happened here for twelve hours, or another program answered at this address. In a terminal, run
      </p>
      <pre>
        <code>belfry dashboard</code>
      </pre>
      <p>and a new tab opens, signed in. Others that wait in this browser follow.</p>
    </main>
  );
}

/** Ms that the window has to have had the focus before a press counts: until then it may have been meant for what was there before. */
const STILL = 1_000;

/** Another site opened this tab: it is let in only where somebody wants that. */
function ByOtherTab() {
  const [isAlone, setAlone] = useState(false);
  const since = useRef(performance.now());
  useEffect(() => {
    const begin = (): void => {
      since.current = performance.now();
    };
    window.addEventListener('focus', begin);
    return () => window.removeEventListener('focus', begin);
  }, []);
  const enter = async (): Promise<void> => {
    if (!document.hasFocus() || performance.now() - since.current < STILL) return;
    await enterByTab();
    setAlone(access.value === 'out');
  };
  return (
    <>
      <p>Another page led here. If Belfry is open in another tab of this browser, that tab can sign this one in.</p>
      <p class="buttons">
        <button type="button" class="primary" onClick={() => void enter()}>
          Sign in by the other tab
        </button>
      </p>
      <p role="status">{isAlone ? 'No tab that is signed in answered.' : null}</p>
    </>
  );
}
