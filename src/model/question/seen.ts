// What proves that somebody was shown a question: handed out with it, and demanded back with its answer.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Question } from './question.ts';

/** What is asked and shown. */
type Shown = Pick<Question, 'id' | 'kind' | 'nonce' | 'inputHash' | 'subject'>;

/** Base64url; of 22 characters there are too many to guess. */
const LENGTH = 22;

/** Another one as soon as anything that is asked or shown is another; nobody can work it out who was not given it. */
export function seenOf({ id, kind, nonce, inputHash, subject }: Shown): string {
  const what = JSON.stringify([id, kind, inputHash, subject]);
  return createHmac('sha256', nonce).update(what).digest('base64url').slice(0, LENGTH);
}

/** Whether this is the value of the question as it is now. */
export function wasSeen(question: Shown, seen: string): boolean {
  const [given, wanted] = [Buffer.from(seen), Buffer.from(seenOf(question))];
  return given.byteLength === wanted.byteLength && timingSafeEqual(given, wanted);
}
