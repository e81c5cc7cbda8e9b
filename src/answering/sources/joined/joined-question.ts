// One open question of a joined session, from its beginning to its end.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import type { FinalAnswer, Handed, QuestionSubject } from '../../../model/answering.ts';
import { type SessionKey, sessionKeyText } from '../../../model/ids.ts';
import type { JoinedAnswer } from '../../../model/joining.ts';
import type { ClientProcess } from '../../../model/session.ts';
import type { QuestionRow } from '../../questions/kept-questions.ts';
import type { Answerable } from '../../questions/wait.ts';
import { WaitLife } from '../../questions/wait-life.ts';

/** One session that asks. */
export interface JoinedSource {
  readonly session: SessionKey;
  /** Null: it cannot be seen. */
  readonly client: ClientProcess | null;
  /** It does not say of every request how it ended: its hooks show the rest. */
  readonly isSilent?: boolean;
  readonly answer: (requestId: string, answer: JoinedAnswer) => Promise<Handed>;
  /** Its question has ended, however it did; the client need not say so any more. */
  readonly forget?: (requestId: string) => void;
}

/** What is asked, and how an answer gets there. */
export interface Opening
  extends Pick<Answerable, 'session' | 'question' | 'digest' | 'startedAt' | 'client' | 'isReachable'> {
  /** As people are shown it. */
  readonly subject: QuestionSubject;
  /** Null: the session has finished, and asks nothing. */
  readonly from: { readonly source: JoinedSource; readonly requestId: string } | null;
  readonly hand: (answer: FinalAnswer) => Promise<Handed>;
  /** The row that it goes on with; null: it is new. */
  readonly row: QuestionRow | null;
}

/** One that is open. */
export interface JoinedQuestion extends Answerable, Pick<Opening, 'from' | 'subject'> {
  readonly nonce: string;
  readonly deadline: number;
  /** Ends it without an answer. */
  readonly leave: (why: string) => void;
  /** Ends it, but leaves its row as it is; an answer that is on its way is waited for. */
  readonly forget: () => void;
}

/** `ended`: however it did; `left`: without an answer, and its row is to say why; `forgotten`: without one, and its row stays. */
export function openQuestion(
  opening: Opening,
  at: { readonly clock: Clock; readonly waitMs: number },
  on: {
    readonly ended: (id: string) => void;
    readonly left: (id: string, why: string) => void;
    readonly forgotten: (row: QuestionRow) => void;
  },
): JoinedQuestion {
  const { hand, row, ...asked } = opening;
  const { clock, waitMs } = at;
  const id = row?.id ?? `qst_${randomBytes(18).toString('base64url')}`;
  const nonce = row?.nonce ?? randomBytes(18).toString('base64url');
  const deadline = row?.deadline ?? clock.now() + waitMs;
  const { session, digest: inputHash, subject } = asked;
  const rowNow = { id, nonce, deadline, sessionKey: sessionKeyText(session), inputHash, subject };
  const { leave, end, hold, output } = new WaitLife({
    ended: () => {
      cancel();
      on.ended(id);
    },
    left: (why) => {
      if (why === null) on.forgotten(rowNow);
      else on.left(id, why);
    },
  });
  const cancel = clock.setTimer(Math.max(0, deadline - clock.now()), () => leave('the time to answer was over'));
  return {
    ...{ ...asked, id, nonce, deadline, hold, leave },
    left: output.then(() => undefined),
    forget: () => leave(null),
    deliver: async (answer) => {
      const handed = await hand(answer);
      end({ left: handed === 'taken' ? 'answered' : 'it was not taken' });
      return handed;
    },
  };
}
