// What agents ask people: open until one answer was taken, or nobody can give one any more.
import type { AnswerResult, NewQuestion } from '../../model/question/question.ts';
import type { GivenAnswer, SettledAnswer } from '../records.ts';

/** Of answering. */
export interface Questions {
  /** One of this id stays as it is. `closed`: why nobody can answer it from the first, for people. */
  putQuestion(question: NewQuestion, closed?: string): Promise<'new' | 'known'>;
  /** Puts an open question with the notification that turned out to be its own. False: it was not open. */
  tieQuestion(id: string, notificationId: string): Promise<boolean>;
  /** An open question asks something else now. False: it was not open. */
  changeQuestion(id: string, to: Pick<NewQuestion, 'inputHash' | 'subject'>): Promise<boolean>;
  /** Takes the first answer that knows the nonce and the input, before the deadline. The question stays open until that is settled. */
  answerQuestion(given: GivenAnswer): Promise<AnswerResult>;
  /** The question is answered, or closed and keeps the answer that was tried. False: this one was not its answer, or that was settled. */
  settleAnswer(of: SettledAnswer): Promise<boolean>;
  /** False: it was not open, or an answer to it is on its way. `why`: for people. */
  closeQuestion(id: string, why: string): Promise<boolean>;
}
