// This tab may not read: says how to come in.
import { useRef, useState } from 'preact/hooks';
import { access, enterByTab, isAtTheDoor, isOpenedHere } from '../../api/access.ts';
import { useStillness } from '../../lib/stillness.ts';

export function SessionOver() {
  return (
    <main class="over" id="main">
      <h1>Open the page again</h1>
      {isAtTheDoor.value ? <AtTheDoor /> : <Why />}
      <pre>
        <code>belfry dashboard</code>
      </pre>
      <p>and a new tab opens, signed in. Others that wait in this browser follow.</p>
    </main>
  );
}

/** Another tab asks its person first. */
function AtTheDoor() {
  return (
    <>
      <p role="status">
        The other tab of this browser asks whether you opened this one. Press “Sign it in” there, and this one goes on.
      </p>
      <p>Or, in a terminal, run</p>
    </>
  );
}

function Why() {
  return (
    <>
      {isOpenedHere() ? null : <ByOtherTab />}
      <p>
        This tab is not signed in, and no other tab of this browser signs it in: its address was used already, nothing
        happened here for twelve hours, or another program answered at this address. In a terminal, run
      </p>
    </>
  );
}

/** Another site opened this tab: it is let in only where somebody wants that. */
function ByOtherTab() {
  const [isAlone, setAlone] = useState(false);
  const isStill = useStillness();
  const isAsking = useRef(false);
  const enter = async (): Promise<void> => {
    if (isAsking.current || !isStill()) return;
    isAsking.current = true;
    await enterByTab();
    isAsking.current = false;
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
