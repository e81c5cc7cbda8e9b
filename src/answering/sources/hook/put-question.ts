// Puts the question of a hook that waits, once its notification is known, so that whoever sees one finds the other.
import type { Background } from '../../../lib/background.ts';
import { notificationIdOf, sessionKeyText } from '../../../model/ids.ts';
import type { Store } from '../../../store/contract.ts';
import { askedBefore } from '../../questions/asked-before.ts';
import { inputKey, type NotifiedInputs } from '../../questions/notified.ts';
import type { QuestionRows } from '../../questions/question-rows.ts';
import type { Wait } from '../../questions/wait.ts';

/** What it needs. */
export interface PutQuestionDeps {
  readonly store: Pick<Store, 'tieQuestion' | 'questions'>;
  readonly notified: NotifiedInputs;
  readonly rows: QuestionRows;
  readonly background: Background;
  readonly isOpen: (questionId: string) => boolean;
}

/** What is the hook's own, of a wait. */
type Asking = Wait & { readonly output: Promise<unknown> };

/** Puts it, unless the hook has left meanwhile. */
export async function putQuestion(wait: Asking, deps: PutQuestionDeps): Promise<void> {
  const { store, notified, rows, isOpen } = deps;
  const { id, startedAt, question, session, nonce, deadline } = wait;
  const [reported, now] = await Promise.all([notified.notificationOf(inputKey(wait), startedAt), wait.lookAgain()]);
  // Only code inside a client puts again what the daemon left open.
  const isAgain = reported === null && wait.answering.inside !== undefined;
  const notification = isAgain ? await askedBefore(store, wait) : reported;
  if (!isOpen(id)) return;
  now.show();
  await rows.put({
    ...{ id, nonce, deadline, kind: question.kind, inputHash: now.inputHash, subject: now.subject },
    notificationId: notification ?? notificationIdOf(id),
    sessionKey: sessionKeyText(session),
  });
  if (isOpen(id) && notification === null) tieLate(wait, deps);
}

/** On a busy machine the notifying hook may come much later: its message gets the buttons then. */
function tieLate(wait: Asking, { notified, background, store }: PutQuestionDeps): void {
  const { id, startedAt, output } = wait;
  const end = notified.whenNoted(inputKey(wait), startedAt, (notification) =>
    background.run(store.tieQuestion(id, notification)),
  );
  background.run(output.then(end));
}
