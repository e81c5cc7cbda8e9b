// What a hub's answer to a request means. Its texts are not believed: what people read of it is said here.
import { parseJson } from '../lib/json/json.ts';
import type { HttpResult } from '../lib/net/http.ts';
import { batchAnswerSchema, conflictSchema, outdatedSchema } from '../model/link/batch.ts';
import { helloAnswerSchema } from '../model/link/hello.ts';
import type { Heard, KeptBatch } from './chain.ts';

/** A batch that was sent. `history`: it was a slice of it, up to this row. */
export interface SentBatch {
  readonly batch: KeptBatch;
  readonly history: number | null;
}

/** 409, before the hub's batch is looked up: its hash; null: the hub has none. */
export interface OtherBatch {
  readonly type: 'other batch';
  readonly hash: string | null;
}

/** Longest command that a hub may name for an update. */
const LONGEST_COMMAND = 200;

/** `sent`: null where it answers a hello. `sentAt`: Unix ms. */
export function readReply(result: HttpResult, sent: SentBatch | null, sentAt: number): Heard | OtherBatch {
  const isBatch = sent !== null;
  if (result.kind !== 'answer') return { type: 'failed', why: result.error, batch: isBatch && result.written };
  const { status, retryAfter } = result;
  const body = parseJson(result.body);
  switch (status) {
    case 200:
      return (isBatch ? takenOf(body, sent, sentAt) : greetedOf(body, sentAt)) ?? unreadable(isBatch);
    case 409: {
      const read = conflictSchema.safeParse(body);
      return read.success ? { type: 'other batch', hash: read.data.last_batch_hash } : unreadable(false);
    }
    case 426: {
      const update = outdatedSchema.safeParse(body).data?.update ?? null;
      return { type: 'outdated', update: update !== null && isCommand(update) ? update : null };
    }
    case 429:
    case 503:
      // A hub always says for how long; whoever stands before it may not, and may have let the batch through.
      return { type: 'busy', why: 'the hub has no room', retryAfter, batch: isBatch && retryAfter === undefined };
    case 401:
    case 403:
      return { type: 'refused', why: `the hub does not accept the token of this machine (${status})` };
    default:
      return { type: 'failed', why: `the hub answered ${status}`, batch: isBatch && status >= 500 };
  }
}

const unreadable = (batch: boolean): Heard => ({ type: 'failed', why: 'the hub’s answer cannot be read', batch });

function greetedOf(body: unknown, sentAt: number): Heard | null {
  const read = helloAnswerSchema.safeParse(body);
  return read.success ? { type: 'greeted', answer: read.data, sentAt } : null;
}

/** Null where it is the answer to another batch, too. */
function takenOf(body: unknown, { batch, history }: SentBatch, sentAt: number): Heard | null {
  const read = batchAnswerSchema.safeParse(body);
  if (!read.success || read.data.batch !== batch.id) return null;
  const { rejected, server_time } = read.data;
  return { type: 'taken', batch, history, answer: { rejected, server_time }, sentAt };
}

/** It is shown to people: one line of plain characters. */
const isCommand = (text: string): boolean => text.length <= LONGEST_COMMAND && /^[\x20-\x7e]+$/.test(text);
