// Order and bounds of the telling: one lane a session, lanes side by side, and what does not fit is left to the journal.
import type { Clock } from '../lib/clock.ts';
import type { GivingUp } from './giving-up.ts';

/** Something to do in its lane's turn. */
export interface Piece {
  readonly id: string;
  /** Pieces of one lane are done one after the other. */
  readonly lane: string;
  /** Order among those of a lane that still wait. */
  readonly order: number;
  /** Rejects when it could not be done: it is tried again, and given up after a while. */
  readonly work: () => Promise<void>;
}

interface LaneParts {
  /** What was left to the journal, oldest first. */
  readonly backlog: (limit: number) => Promise<readonly Piece[]>;
  readonly givingUp: GivingUp;
  readonly clock: Clock;
  readonly log: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

export interface Lanes {
  /** False: too much is in hand; it comes with the backlog. */
  take(piece: Piece): boolean;
  /** Adds a piece that stands in no journal, whatever is in hand. */
  add(piece: Piece): void;
  /** Looks into the journal. */
  catchUp(): void;
  idle(): Promise<void>;
  /** Finishes the pieces under way; those that wait stay in the journal. */
  stop(): Promise<void>;
}

/** Lanes at work at once. */
const WIDTH = 32;
/** Pieces in hand at most. */
const MOST = 1_000;
/** The journal is asked for more when no more than this many are left in hand. */
const FEW = 100;
/** Pieces asked of the journal at once, beyond those in hand. */
const BATCH = 200;
/** Ms until a piece that failed is tried again. */
const AGAIN = 5_000;

/** Builds the lanes. */
export function createLanes(parts: LaneParts): Lanes {
  const waiting = new Map<string, Piece[]>();
  const ready: string[] = [];
  const running = new Set<string>();
  const inHand = new Set<string>();
  const ailing = new Set<string>();
  const alarms = new Set<() => void>();
  let behind = false;
  let missed = false;
  let fetching: Promise<void> | null = null;
  let stopped = false;
  let listeners: (() => void)[] = [];

  /** 0 after the journal had nothing new, though it may hold back what did not fit beside what is in hand. */
  let low = FEW;

  const room = (): boolean => inHand.size <= low;

  function enqueue(piece: Piece): void {
    inHand.add(piece.id);
    const lane = waiting.get(piece.lane);
    if (lane) {
      const at = lane.findLastIndex((other) => other.order <= piece.order) + 1;
      lane.splice(at, 0, piece);
      return;
    }
    waiting.set(piece.lane, [piece]);
    if (!running.has(piece.lane)) ready.push(piece.lane);
    pump();
  }

  function pump(): void {
    while (!stopped && running.size < WIDTH) {
      const lane = ready.shift();
      if (lane === undefined) break;
      const queue = waiting.get(lane);
      const piece = queue?.shift();
      if (queue?.length === 0) waiting.delete(lane);
      if (piece === undefined) continue;
      running.add(lane);
      void run(piece);
    }
  }

  async function run(piece: Piece): Promise<void> {
    try {
      await piece.work();
      parts.givingUp.done(piece.id);
    } catch (error) {
      if (!(await parts.givingUp.failed(piece.id, error))) later(piece.id);
    }
    inHand.delete(piece.id);
    running.delete(piece.lane);
    if (waiting.has(piece.lane)) ready.push(piece.lane);
    pump();
    if (behind && room()) fetch();
    settle();
  }

  function later(id: string): void {
    ailing.add(id);
    const cancel = parts.clock.setTimer(AGAIN, () => {
      alarms.delete(cancel);
      ailing.delete(id);
      behind = true;
      fetch();
    });
    alarms.add(cancel);
  }

  function fetch(): void {
    if (fetching !== null || stopped) return;
    fetching = fill()
      .catch((error: unknown) => {
        parts.log('the journal could not be read; tried again', { error: String(error) });
        later('');
        behind = false;
      })
      .finally(() => {
        fetching = null;
        if (behind && room()) fetch();
        settle();
      });
  }

  /** Takes from the journal until there is nothing new or no room. */
  async function fill(): Promise<void> {
    while (behind && room() && !stopped) {
      missed = false;
      const found = await parts.backlog(inHand.size + ailing.size + BATCH);
      const fresh = found.filter((piece) => !inHand.has(piece.id) && !ailing.has(piece.id));
      for (const piece of fresh) enqueue(piece);
      low = fresh.length > 0 || missed ? FEW : 0;
      if (fresh.length === 0 && inHand.size === 0 && !missed) behind = false;
      if (fresh.length === 0 && inHand.size > 0) return;
    }
  }

  function settle(): void {
    if (!stopped && (inHand.size > 0 || behind || fetching !== null)) return;
    if (stopped && running.size > 0) return;
    for (const listener of listeners) listener();
    listeners = [];
  }

  const settled = (): Promise<void> =>
    new Promise((resolve) => {
      listeners.push(resolve);
      settle();
    });

  return {
    take: (piece) => {
      if (stopped || behind || inHand.size >= MOST) {
        behind = true;
        missed = true;
        if (room()) fetch();
        return false;
      }
      if (!inHand.has(piece.id)) enqueue(piece);
      return true;
    },
    add: (piece) => {
      if (!stopped) enqueue(piece);
    },
    catchUp: () => {
      behind = true;
      fetch();
    },
    idle: settled,
    stop: async () => {
      stopped = true;
      for (const cancel of alarms) cancel();
      await settled();
      await fetching;
    },
  };
}
