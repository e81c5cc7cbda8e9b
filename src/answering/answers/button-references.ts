// What the buttons of a question carry: its id, what the button says, and a proof of both that is good for one channel and the question as it was shown.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Question } from '../../model/question/question.ts';
import { seenOf } from '../../model/question/seen.ts';

/** What a button says. `choose`: which option of which of the questions, from 0. */
export type Pressed =
  | { readonly says: 'allow' | 'deny' | 'text' }
  | { readonly says: 'choose'; readonly question: number; readonly option: number };

/** A reference taken apart; nothing of it is proved. */
export interface ReadReference {
  readonly id: string;
  readonly pressed: Pressed;
  readonly proof: string;
}

type Asked = Pick<Question, 'id' | 'kind' | 'nonce' | 'inputHash' | 'subject'>;

const LETTERS = { allow: 'a', deny: 'd', text: 't' } as const;
/** At most 64 bytes: what the smallest of the services lets a button carry. */
const FORM = /^(a|d|t|c(\d)\.(\d)):(qst_[\w-]{24}):([\w-]{22})$/;

const letterOf = (pressed: Pressed): string =>
  pressed.says === 'choose' ? `c${pressed.question}.${pressed.option}` : LETTERS[pressed.says];

function proofOf(key: Buffer, channel: string, asked: Asked, letter: string): string {
  const what = JSON.stringify([channel, asked.id, seenOf(asked), letter]);
  return createHmac('sha256', key).update(what).digest('base64url').slice(0, 22);
}

/** The reference of one button of a question on one channel. */
export function buttonReference(key: Buffer, channel: string, asked: Asked, pressed: Pressed): string {
  const letter = letterOf(pressed);
  return `${letter}:${asked.id}:${proofOf(key, channel, asked, letter)}`;
}

/** Null: it is not of this form. */
export function readReference(reference: string): ReadReference | null {
  const [, letter = '', question, option, id = '', proof = ''] = FORM.exec(reference) ?? [];
  if (id === '') return null;
  if (question !== undefined)
    return { id, proof, pressed: { says: 'choose', question: Number(question), option: Number(option) } };
  return { id, proof, pressed: { says: letter === 'a' ? 'allow' : letter === 'd' ? 'deny' : 'text' } };
}

/** Whether it was made here, for this question and this channel. */
export function isProved(key: Buffer, channel: string, asked: Asked, { id, pressed, proof }: ReadReference): boolean {
  if (id !== asked.id) return false;
  return timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(key, channel, asked, letterOf(pressed))));
}
