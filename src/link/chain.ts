// The laptop's side of the link as a state machine: what it does next, and what follows from what the hub says. It does nothing itself, and its time is handed in.
import { retryWait } from '../lib/retry.ts';
import { BATCH_LIMITS, type BatchAnswer, type BatchLimits } from '../model/link/batch.ts';
import { type HelloAnswer, LINK_VERSIONS, RESYNC_ALL_EVERY, type Resync } from '../model/link/hello.ts';
import type { Level } from '../model/notification/notification.ts';
import type { Forwarding } from './forward.ts';

/** A batch that was sent, as it is remembered. */
export interface KeptBatch {
  readonly id: string;
  readonly serial: number;
  /** Where in the feed it ended; null: it was none of the feed. */
  readonly end: string | null;
  /** A resync was under way: what a hub has that has this batch does not follow from its end. */
  readonly inResync: boolean;
  /** The highest row of an event up to there. */
  readonly row: number;
  /** When it was sent, Unix ms. */
  readonly at: number;
}

/** What is sent beside the feed: first all that is open, then events as history, those after this row; null: none. */
type Backlog =
  | { readonly stage: 'open'; readonly history: number | null }
  | { readonly stage: 'history'; readonly after: number; readonly until: number };

/** What outlives the process. Times are Unix ms. */
export interface LinkState {
  readonly v: 1;
  /** Made with the database that this is kept in. */
  readonly epoch: string;
  /** Of the next batch. */
  readonly serial: number;
  /** The last batch that was acknowledged; null: none. */
  readonly previous: string | null;
  /** Its number; -1: there was none. */
  readonly acknowledged: number;
  /** All of the feed up to here is with the hub. */
  readonly cursor: string;
  /** The highest row of an event up to there. */
  readonly row: number;
  /** When the hub acknowledged something last, or the machine joined. */
  readonly heardAt: number;
  readonly backlog: Backlog | null;
  /** When everything was sent again last, because the hub asked. */
  readonly resyncedAt: number | null;
  readonly forwarding: Forwarding;
}

/** Of a machine that joins: `row`: of the event that was recorded last. */
export function newLink(of: Pick<LinkState, 'epoch' | 'cursor' | 'row' | 'forwarding'>, now: number): LinkState {
  return { v: 1, serial: 0, previous: null, acknowledged: -1, heardAt: now, backlog: null, resyncedAt: null, ...of };
}

/**
 * greeting: says hello next. following: sends what changed. waiting: the hub cannot be reached or has no room. forked: the hub has a batch that
 * this machine never sent. outdated: it speaks no version that this program does. refused: the token counts no more.
 */
type Phase =
  | { readonly at: 'greeting' | 'following' }
  | (Span & { readonly at: 'waiting'; readonly next: 'greeting' | 'following'; readonly why: string })
  | (Span & { readonly at: 'forked' })
  | (Span & { readonly at: 'outdated'; readonly update: string | null })
  | (Span & { readonly at: 'refused'; readonly why: string });

/** Unix ms. A clock that was set back to before `since` ends it, too. */
interface Span {
  readonly since: number;
  readonly until: number;
}

/** The link as it is now. */
export interface Chain {
  readonly kept: LinkState;
  readonly phase: Phase;
  /** Since the hub answered last. */
  readonly failures: number;
  /** Since it took a batch last. */
  readonly conflicts: number;
  /** The hub wants no more than this. */
  readonly level: Level;
  readonly limits: BatchLimits;
  /** How far its clock is ahead, ms; null: not known. */
  readonly offset: number | null;
  /** History is not sent before, Unix ms. */
  readonly historyFrom: number;
  /** Facts that the hub did not take. */
  readonly rejected: number;
}

/** What was heard. */
export type Heard =
  | { readonly type: 'greeted'; readonly answer: HelloAnswer; readonly sentAt: number }
  /** `history`: it was a slice of it, up to this row. */
  | {
      readonly type: 'taken';
      readonly batch: KeptBatch;
      readonly history: number | null;
      readonly answer: Pick<BatchAnswer, 'rejected' | 'server_time'>;
      readonly sentAt: number;
    }
  /** Nothing that changed up to here leaves the machine. */
  | { readonly type: 'passed'; readonly cursor: string; readonly row: number }
  /** Nothing of this part of the history does. */
  | { readonly type: 'history-passed'; readonly after: number }
  /** All that is open was taken: where the feed and the events stood before it was read. */
  | { readonly type: 'listed'; readonly cursor: string; readonly row: number }
  /** 409: the batch that the hub has; `none`: it has none, `unknown`: this machine never sent it. */
  | { readonly type: 'conflict'; readonly with: KeptBatch | 'none' | 'unknown' }
  /** 503, 429: `retryAfter`, ms. */
  | {
      readonly type: 'busy';
      readonly retryAfter: number | undefined;
      readonly why: string;
      /** Whether a batch was on its way that may have been taken. */
      readonly batch: boolean;
    }
  /** 426. */
  | { readonly type: 'outdated'; readonly update: string | null }
  /** 401, 403, or the command `revoked`. */
  | { readonly type: 'refused'; readonly why: string }
  /** No answer, or one that means nothing; `batch` as above. */
  | { readonly type: 'failed'; readonly why: string; readonly batch: boolean }
  /** The feed does not reach back to the cursor. */
  | { readonly type: 'reset' }
  /** The command. */
  | { readonly type: 'resync'; readonly what: Resync };

/** What to do next. */
export type Step =
  | { readonly do: 'hello' }
  | { readonly do: 'wait'; readonly until: number }
  /** Send all that is open; `since`: what was over by then, Unix ms, is known to be. */
  | { readonly do: 'list'; readonly since: number }
  /** Send what changed; where nothing did, and from a time on, a slice of history. */
  | {
      readonly do: 'follow';
      readonly cursor: string;
      readonly history: { readonly after: number; readonly until: number; readonly from: number } | null;
    };

/** When, and how the waits are spread: 0 to 1. */
export interface Moment {
  readonly now: number;
  readonly random: number;
}

/** Failures after which waits grow no longer: two minutes. */
const MOST_FAILURES = 3;
/** Longest wait that a hub may ask for, ms. */
const LONGEST_WAIT = 3_600_000;
/** A fork, or a sign-in that counts no more, is looked at again after this, ms; an old version likewise. */
const LOOK_AGAIN = { forked: 5 * 60_000, refused: 3_600_000, outdated: 3_600_000 } as const;
/** Events of history in one batch, and how far such batches are apart, ms. */
export const HISTORY = { events: 50, every: 1_000 } as const;

/** As the process begins. */
export function startChain(kept: LinkState): Chain {
  return {
    kept,
    phase: { at: 'greeting' },
    failures: 0,
    conflicts: 0,
    level: 'full',
    limits: BATCH_LIMITS,
    offset: null,
    historyFrom: 0,
    rejected: 0,
  };
}

/** `now`: Unix ms. */
export function stepOf({ kept, phase, historyFrom }: Chain, now: number): Step {
  if ('until' in phase && phase.since <= now && now < phase.until) return { do: 'wait', until: phase.until };
  if (onceOver(phase) === 'greeting') return { do: 'hello' };
  const { backlog, cursor, heardAt } = kept;
  if (backlog?.stage === 'open') return { do: 'list', since: heardAt };
  const from = Math.min(historyFrom, now + HISTORY.every);
  const history = backlog && { after: backlog.after, until: backlog.until, from };
  return { do: 'follow', cursor, history };
}

/** What it goes on with after it has waited. */
function onceOver(phase: Phase): 'greeting' | 'following' {
  if (phase.at === 'waiting') return phase.next;
  return phase.at === 'following' ? 'following' : 'greeting';
}

/** What becomes of the link. */
export function heard(chain: Chain, what: Heard, moment: Moment): Chain {
  const { kept } = chain;
  const { now } = moment;
  switch (what.type) {
    case 'greeted':
      return greeted(chain, what, now);
    case 'taken':
      return taken(chain, what, now);
    case 'passed':
      return keeping(chain, { cursor: what.cursor, row: Math.max(kept.row, what.row) });
    case 'history-passed':
      return keeping(chain, { backlog: historyAfter(kept.backlog, what.after) });
    case 'listed':
      return keeping(chain, {
        cursor: what.cursor,
        row: Math.max(kept.row, what.row),
        heardAt: now,
        backlog: historyOf(kept.backlog, what.row),
      });
    case 'conflict':
      return conflict(chain, what.with, moment);
    case 'busy': {
      const wait = Math.min(LONGEST_WAIT, waitAfter(chain.failures + 1, moment, what.retryAfter));
      const phase = { at: 'waiting', ...span(now, wait), next: onceOver(chain.phase), why: what.why } as const;
      return { ...spent(chain, what.batch), failures: chain.failures + 1, phase };
    }
    case 'outdated':
      return { ...chain, phase: { at: 'outdated', ...span(now, LOOK_AGAIN.outdated), update: what.update } };
    case 'refused':
      return { ...chain, phase: { at: 'refused', ...span(now, LOOK_AGAIN.refused), why: what.why } };
    case 'failed':
      return later(spent(chain, what.batch), what.why, moment);
    case 'reset':
      return keeping(chain, { backlog: { stage: 'open', history: Math.min(kept.row, historyLeft(kept) ?? kept.row) } });
    case 'resync':
      return resync(chain, what.what, now);
  }
}

const keeping = (chain: Chain, changed: Partial<LinkState>): Chain => ({
  ...chain,
  kept: { ...chain.kept, ...changed },
});

/** The number of a batch that may have been taken is not used again. */
const spent = (chain: Chain, batch: boolean): Chain =>
  batch ? keeping(chain, { serial: chain.kept.serial + 1 }) : chain;

const span = (now: number, ms: number): Span => ({ since: now, until: now + ms });

const waitAfter = (failures: number, { random }: Moment, retryAfter?: number): number =>
  retryWait(Math.min(failures, MOST_FAILURES), random, retryAfter);

function later(chain: Chain, why: string, moment: Moment): Chain {
  const failures = chain.failures + 1;
  const wait = span(moment.now, waitAfter(failures, moment));
  return { ...chain, failures, phase: { at: 'waiting', ...wait, next: 'greeting', why } };
}

/** How far the hub's clock is ahead: what it said is taken to have been said half way. */
const offsetOf = (serverTime: number, sentAt: number, now: number): number =>
  Math.round(serverTime - (sentAt + now) / 2);

function greeted(chain: Chain, { answer, sentAt }: Heard & { readonly type: 'greeted' }, now: number): Chain {
  if (!LINK_VERSIONS.includes(answer.v)) return heard(chain, { type: 'outdated', update: null }, { now, random: 0 });
  const { facts = BATCH_LIMITS.facts, bytes = BATCH_LIMITS.bytes } = answer.limits;
  const limits = { facts: Math.min(facts, BATCH_LIMITS.facts), bytes: Math.min(bytes, BATCH_LIMITS.bytes) };
  const offset = offsetOf(answer.server_time, sentAt, now);
  const next: Chain = {
    ...chain,
    ...{ failures: 0, level: answer.level_at_most, limits, offset },
    phase: { at: 'following' },
  };
  return answer.resync === 'none' ? next : resync(next, answer.resync, now);
}

function taken(
  chain: Chain,
  { batch, history, answer, sentAt }: Heard & { readonly type: 'taken' },
  now: number,
): Chain {
  const { kept } = chain;
  const next: Chain = {
    ...chain,
    failures: 0,
    conflicts: 0,
    phase: { at: 'following' },
    offset: offsetOf(answer.server_time, sentAt, now),
    rejected: chain.rejected + answer.rejected.length,
    historyFrom: history === null ? chain.historyFrom : now + HISTORY.every,
  };
  return keeping(next, {
    serial: kept.serial + 1,
    previous: batch.id,
    acknowledged: batch.serial,
    cursor: batch.end ?? kept.cursor,
    row: Math.max(kept.row, batch.row),
    heardAt: kept.backlog?.stage === 'open' ? kept.heardAt : now,
    backlog: history === null ? kept.backlog : historyAfter(kept.backlog, history),
  });
}

/** What is left of the history once it was sent up to a row. */
function historyAfter(backlog: Backlog | null, after: number): Backlog | null {
  if (backlog?.stage !== 'history') return backlog;
  return after >= backlog.until ? null : { ...backlog, after };
}

/** What follows once all that is open was sent; `until`: the row of the event that was recorded last by then. */
function historyOf(backlog: Backlog | null, until: number): Backlog | null {
  if (backlog?.stage !== 'open' || backlog.history === null || backlog.history >= until) return null;
  return { stage: 'history', after: backlog.history, until };
}

/** Everything that leaves this machine. */
const everything = ({ forwarding }: LinkState): Backlog => ({ stage: 'open', history: forwarding[0].after });

function resync(chain: Chain, what: Resync, now: number): Chain {
  const { kept } = chain;
  const ago = kept.resyncedAt === null ? Number.POSITIVE_INFINITY : now - kept.resyncedAt;
  if (what === 'all' && !(ago >= 0 && ago < RESYNC_ALL_EVERY))
    return keeping(chain, { backlog: everything(kept), resyncedAt: now });
  // What is under way is begun again, and goes on as far as it was to.
  return keeping(chain, { backlog: { stage: 'open', history: historyLeft(kept) } });
}

/** The row after which history is still to be sent; null: none is. */
const historyLeft = ({ backlog }: LinkState): number | null =>
  backlog?.stage === 'history' ? backlog.after : (backlog?.history ?? null);

function conflict(chain: Chain, known: KeptBatch | 'none' | 'unknown', moment: Moment): Chain {
  if (known === 'unknown') return { ...chain, phase: { at: 'forked', ...span(moment.now, LOOK_AGAIN.forked) } };
  const back = keeping(chain, known === 'none' ? fromTheJoin(chain.kept) : from(known, chain.kept));
  const again: Chain = { ...back, conflicts: chain.conflicts + 1, phase: { at: 'greeting' } };
  if (again.conflicts <= MOST_FAILURES) return again;
  // A hub that refuses what it has just named is in trouble, or means none of it.
  return later({ ...again, failures: again.conflicts }, 'the hub refuses every batch', moment);
}

/** The hub has nothing of this machine. */
const fromTheJoin = (kept: LinkState): Partial<LinkState> => ({
  previous: null,
  acknowledged: -1,
  heardAt: kept.forwarding[0].at,
  backlog: everything(kept),
});

/** The hub has this batch and none after it. */
function from({ id, serial, end, inResync, row, at }: KeptBatch, kept: LinkState): Partial<LinkState> {
  const last = { previous: id, acknowledged: serial, cursor: end ?? kept.cursor };
  // It is later than any that was acknowledged: only its answer was lost.
  if (serial > kept.acknowledged) return { ...last, row: Math.max(kept.row, row) };
  // The hub has lost what came after it. What was sent in a resync is in no feed.
  const backlog = inResync || kept.backlog !== null ? everything(kept) : null;
  return { ...last, row, heardAt: Math.min(kept.heardAt, at), backlog };
}
