// Asks whether another tab of this browser is to be signed in, which another program may have left there.
import { letIn } from '../../api/access.ts';
import { sendAway, tabsAtTheDoor } from '../../api/other-tabs.ts';
import { useStillness } from '../../lib/stillness.ts';

export function TabAtTheDoor() {
  const waiting = tabsAtTheDoor.value;
  const [first] = waiting;
  return (
    <div role="status">
      {first === undefined ? null : <Asked key={waiting.join()} first={first} count={waiting.length} />}
    </div>
  );
}

/** One press is for one tab. */
function Asked({ first, count }: { readonly first: string; readonly count: number }) {
  const isStill = useStillness();
  return (
    <p class="banner">
      {count === 1 ? 'Another tab of this browser asks' : `${count} other tabs of this browser ask`} to be signed in.
      Did you open {count === 1 ? 'it' : 'them'}?{' '}
      <button type="button" onClick={() => isStill() && void letIn(first)}>
        Sign {count === 1 ? 'it' : 'one'} in
      </button>
      <button type="button" onClick={() => isStill() && sendAway(first)}>
        Ignore {count === 1 ? 'it' : 'one'}
      </button>
    </p>
  );
}
