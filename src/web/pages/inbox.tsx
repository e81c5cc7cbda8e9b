// The inbox: what waits as a list, and beside it the one that is looked at; where the window is narrow, one after the other.
import { useEffect } from 'preact/hooks';
import { isNarrow } from '../lib/narrow.ts';
import { isOpen } from '../store/entries.ts';
import { goOn } from '../store/go-on.ts';
import { entries, isLeft, isNamedOver, named, nextOpen, select, selected, shownEntries } from '../store/inbox.ts';
import { isWaitingRead, readWaiting, waitingProblem } from '../store/waiting.ts';
import { Boundary } from '../parts/boundary.tsx';
import { IfNowLine } from '../parts/inbox/if-now-line.tsx';
import { InboxList } from '../parts/inbox/inbox-list.tsx';
import { SubjectCard } from '../parts/inbox/subject-card.tsx';
import { EmptyState } from '../parts/reading/empty-state.tsx';
import { Loading } from '../parts/reading/loading.tsx';
import { ReadProblem } from '../parts/reading/read-problem.tsx';

export function InboxPage() {
  const isEmpty = entries.value.length === 0;
  const isOne = isNarrow.value ? named.value !== null : selected.value !== undefined || isNamedOver.value;
  useSomethingSelected();
  return (
    <div class={`inbox ${isOne ? 'one' : 'all'}`}>
      <h1 class="hidden">Inbox</h1>
      <IfNowLine />
      <ReadProblem problem={waitingProblem.value} retry={() => void readWaiting()} />
      {!isWaitingRead.value && waitingProblem.value === null ? <Loading tall /> : null}
      {isEmpty && !isNamedOver.value && isWaitingRead.value ? <NothingWaits /> : null}
      {isEmpty ? null : <InboxList />}
      {isEmpty && !isNamedOver.value ? null : <SubjectPane />}
    </div>
  );
}

function NothingWaits() {
  return (
    <EmptyState title="Nothing is waiting for you">
      What an agent asks, what goes wrong and what is done appears here. <a href="/sessions">Sessions</a> has every
      agent.
    </EmptyState>
  );
}

/** Beside a list something is always looked at; what it was stays when it is over, unless that was done here. */
function useSomethingSelected(): void {
  const entry = selected.value;
  const isFree =
    entry === undefined ? !isNamedOver.value && !isNarrow.value : entry.key === isLeft.value && !isOpen(entry);
  const first = isFree ? nextOpen(entry) : undefined;
  useEffect(() => {
    if (first !== undefined) select(first.key, false);
  }, [first?.key]);
}

function SubjectPane() {
  const entry = selected.value;
  return (
    <section class="inbox-subject" aria-label="What you look at" data-scroll>
      <p class="trail back">
        <a href="/">Inbox</a>
      </p>
      {entry === undefined ? (
        <EmptyState title={isNamedOver.value ? 'This is over' : 'Nothing is selected'}>
          {isNamedOver.value ? 'It was answered or acknowledged, or nobody waits for it any more.' : null}
        </EmptyState>
      ) : (
        <>
          <Boundary key={entry.key} what="This card">
            <SubjectCard entry={entry} row={entry.key} settled={() => goOn(entry)} />
          </Boundary>
          {isOpen(entry) ? null : <NextButton />}
        </>
      )}
    </section>
  );
}

/** From what is over to what waits. */
function NextButton() {
  const next = nextOpen(selected.value);
  if (next === undefined) return null;
  const left = shownEntries.value.filter(isOpen).length;
  return (
    <p class="buttons">
      <button type="button" class="primary" onClick={() => selected.value && goOn(selected.value)}>
        Next ({left} left)
      </button>
    </p>
  );
}
