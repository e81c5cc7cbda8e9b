// POST /facts of the link: one batch under way a machine, each naming the one before, so that either side finds what the other has lost.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Fact } from './fact.ts';

/** Most facts of a batch, and most bytes of its JSON before it is compressed. */
export const BATCH_LIMITS = { facts: 200, bytes: 256_000 } as const;

/** Acknowledged batches that a laptop remembers, with where in its feed they ended. */
export const BATCHES_KEPT = 1_000;

/** A batch as it arrives: each fact is judged by itself, so that one that is not understood takes no other with it. */
export const batchSchema = z.looseObject({
  batch: z.uuid(),
  /** The last batch that the hub acknowledged; null: there was none. */
  previous: z.uuid().nullable(),
  /** Made with the laptop's database. */
  epoch: z.string().min(1).max(200),
  /** Unix ms by the laptop's clock. */
  sent_at: z.int(),
  facts: z.array(z.unknown()).max(BATCH_LIMITS.facts),
});

/** A batch as it is made. */
export interface Batch extends Pick<z.output<typeof batchSchema>, 'batch' | 'previous' | 'epoch' | 'sent_at'> {
  readonly facts: readonly Fact[];
}

/** What a batch that was taken is answered with. */
export const batchAnswerSchema = z.looseObject({
  batch: z.uuid(),
  /** Facts that were not taken, with why, for people; they are not to be sent again. */
  rejected: z.array(z.looseObject({ index: z.int().min(0), why: z.string() })).default([]),
  /** Unix ms by the hub's clock. */
  server_time: z.int(),
});
export type BatchAnswer = z.output<typeof batchAnswerSchema>;

/** Of 409: `previous` is not the hub's last batch. It says a hash of that one, never its id: who has stolen a token cannot go on with the chain. */
export const conflictSchema = z.looseObject({
  /** See batchHash; null: the hub has none of this machine. */
  last_batch_hash: z.string().nullable(),
});

/** Of 426: the version of the link is too old. */
export const outdatedSchema = z.looseObject({
  /** The command that updates. */
  update: z.string().nullable().default(null),
});

/** Stands for a batch's id. */
export const batchHash = (id: string): string => createHash('sha256').update(id).digest('hex');

/** What one batch may hold. */
export interface BatchLimits {
  readonly facts: number;
  readonly bytes: number;
}

/** Whether these facts may go in one batch. */
export function fitsBatch(facts: readonly Fact[], limits: BatchLimits = BATCH_LIMITS): boolean {
  return facts.length <= limits.facts && bytesOf(facts) <= limits.bytes - ENVELOPE;
}

/** Bytes of everything beside the facts, at most. */
const ENVELOPE = 1_024;

/** Bytes of something as JSON. */
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
