// The chain of batches, step by step: what the laptop does next after each answer of a hub, and what it remembers then. Times are handed in.
import { describe, expect, test } from 'vitest';
import {
  type Chain,
  type Heard,
  heard,
  HISTORY,
  type KeptBatch,
  type LinkState,
  newLink,
  startChain,
  stepOf,
} from '../../src/link/chain.ts';
import { withMatch } from '../../src/link/forward.ts';
import { BATCH_LIMITS } from '../../src/model/link/batch.ts';
import { helloAnswerSchema } from '../../src/model/link/hello.ts';
import { NOON } from '../support/made.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Joined at noon, when ten events were recorded and the feed stood at 100. */
const forwarding = withMatch(null, { after: 10, at: NOON, match: {} });
const FRESH: LinkState = newLink({ epoch: 'e1', cursor: '100', row: 10, forwarding }, NOON);

/** Five batches on: the hub has the last, `b4`, which ended at 140. */
const GOING: LinkState = { ...FRESH, serial: 5, previous: 'b4', acknowledged: 4, cursor: '140', row: 14 };
const batch = (serial: number, more: Partial<KeptBatch> = {}): KeptBatch => ({
  ...{ id: `b${serial}`, serial, end: String(100 + 10 * serial), row: 10 + serial, at: NOON - HOUR },
  inResync: false,
  ...more,
});

const answer = (more: object = {}) => helloAnswerSchema.parse({ machine: 'm1', v: 1, server_time: NOON, ...more });
const greeted = (more: object = {}): Heard => ({ type: 'greeted', answer: answer(more), sentAt: NOON });
const taken = (of: KeptBatch, more: Partial<Heard & { readonly type: 'taken' }> = {}): Heard => ({
  ...{ type: 'taken', batch: of, history: null, answer: { rejected: [], server_time: NOON }, sentAt: NOON },
  ...more,
});
const failed = (isBatch = false): Heard => ({ type: 'failed', why: 'connection refused', batch: isBatch });
const busy = (retryAfter?: number, isBatch = false): Heard => ({
  type: 'busy',
  why: 'no room',
  retryAfter,
  batch: isBatch,
});

/** What becomes of it, all at one time; waits are of their middle length. */
const hears = (from: Chain | LinkState, what: readonly Heard[], now = NOON): Chain =>
  what.reduce((chain, one) => heard(chain, one, { now, random: 0.5 }), 'kept' in from ? from : startChain(from));
const following = (kept = GOING): Chain => hears(kept, [greeted()]);

describe('step by step', () => {
  test.each<[string, LinkState | Chain, readonly Heard[], object]>([
    ['a process that begins says hello', GOING, [], { do: 'hello' }],
    ['greeted, it follows the feed', GOING, [greeted()], { do: 'follow', cursor: '140', history: null }],
    ['a batch that was taken ends at a cursor', following(), [taken(batch(5))], { do: 'follow', cursor: '150' }],
    ['what does not leave is passed over', following(), [{ type: 'passed', cursor: '155', row: 0 }], { cursor: '155' }],
    ['no answer: it waits, and says hello again', following(), [failed()], { do: 'wait', until: NOON + 5 * SECOND }],
    ['503 without a time', following(), [busy()], { do: 'wait', until: NOON + 5 * SECOND }],
    ['503 with one', following(), [busy(17 * SECOND)], { do: 'wait', until: NOON + 17 * SECOND }],
    ['429 with a tenth of a second', following(), [busy(100)], { do: 'wait', until: NOON + SECOND }],
    ['503 that asks for a week', following(), [busy(7 * DAY)], { do: 'wait', until: NOON + HOUR }],
    ['426', GOING, [{ type: 'outdated', update: 'npm i -g belfry' }], { do: 'wait', until: NOON + HOUR }],
    ['a version that this program does not speak', GOING, [greeted({ v: 2 })], { do: 'wait', until: NOON + HOUR }],
    ['401', GOING, [{ type: 'refused', why: 'revoked' }], { do: 'wait', until: NOON + HOUR }],
    ['a fork', GOING, [{ type: 'conflict', with: 'unknown' }], { do: 'wait', until: NOON + 5 * MINUTE }],
    ['409 with a batch that it knows', following(), [{ type: 'conflict', with: batch(2) }], { do: 'hello' }],
    ['away for more than a day', following(), [{ type: 'reset' }], { do: 'list', since: NOON }],
    ['the hub wants what is open', GOING, [greeted({ resync: 'open' })], { do: 'list' }],
    ['the hub wants everything', GOING, [greeted({ resync: 'all' })], { do: 'list' }],
    ['a command wants what is open', following(), [{ type: 'resync', what: 'open' }], { do: 'list' }],
  ])('%s', (_name, from, what, step) => {
    expect(stepOf(hears(from, what), NOON)).toMatchObject(step);
  });
});

describe('waits', () => {
  test('grow up to two minutes, and end with an answer', () => {
    let chain = following();
    const waits = [];
    for (let i = 0, now = NOON; i < 5; i += 1) {
      chain = hears(chain, [failed()], now);
      const step = stepOf(chain, now);
      if (step.do !== 'wait') throw new Error('it waits');
      waits.push(step.until - now);
      now = step.until;
      expect(stepOf(chain, now)).toEqual({ do: 'hello' });
    }
    expect(waits).toEqual([5, 30, 120, 120, 120].map((seconds) => seconds * SECOND));
    expect(hears(chain, [greeted()]).failures).toBe(0);
  });

  test('are spread, so that not all laptops come back at once', () => {
    const until = (random: number) => stepOf(heard(following(), failed(), { now: NOON, random }), NOON);
    expect([until(0), until(1)]).toEqual([4, 6].map((seconds) => ({ do: 'wait', until: NOON + seconds * SECOND })));
  });

  test('a hub without room is not greeted again; one that could not be reached is', () => {
    const [full, gone] = [hears(following(), [busy()]), hears(following(), [failed()])];
    expect(stepOf(full, NOON + MINUTE)).toMatchObject({ do: 'follow', cursor: '140' });
    expect(stepOf(gone, NOON + MINUTE)).toEqual({ do: 'hello' });
    expect(stepOf(hears(full, [busy()], NOON + MINUTE), NOON + 2 * MINUTE)).toMatchObject({ do: 'follow' });
    expect(stepOf(hears(GOING, [busy()]), NOON + MINUTE)).toEqual({ do: 'hello' });
  });

  test('after the wait a batch that is taken goes on with the next at once, whatever the clock says', () => {
    const chain = hears(hears(following(), [busy()]), [taken(batch(5))], NOON + MINUTE);
    expect(stepOf(chain, NOON + SECOND)).toMatchObject({ do: 'follow', cursor: '150' });
  });

  test.each([
    ['a failure', failed()],
    ['no room', busy(HOUR)],
    ['a fork', { type: 'conflict', with: 'unknown' }],
    ['an old version', { type: 'outdated', update: null }],
  ] as const)('a clock that was in 2035 and is set back does not prolong %s', (_name, what) => {
    const chain = hears(following(), [what], Date.UTC(2035, 0, 1));
    expect(stepOf(chain, NOON)).not.toMatchObject({ do: 'wait' });
  });
});

describe('what is remembered', () => {
  test.each<[string, readonly Heard[], Partial<LinkState>]>([
    ['a batch that was taken', [taken(batch(5))], { serial: 6, previous: 'b5', cursor: '150', row: 15 }],
    ['a batch without events', [taken(batch(5, { row: 0 }))], { serial: 6, row: 14 }],
    [
      'a batch whose answer was lost: its number is not used again',
      [failed(true)],
      { serial: 6, previous: 'b4', cursor: '140' },
    ],
    ['a connection that was refused: nothing', [failed()], { serial: 5, previous: 'b4', cursor: '140' }],
    [
      'no room, said by whoever stands between: as a lost answer',
      [busy(undefined, true)],
      { serial: 6, previous: 'b4' },
    ],
    ['no room: nothing', [busy()], { serial: 5, previous: 'b4', cursor: '140' }],
    ['a fork: nothing', [{ type: 'conflict', with: 'unknown' }], { serial: 5, previous: 'b4', cursor: '140' }],
    [
      'a token that counts no more: nothing',
      [{ type: 'refused', why: '' }],
      { serial: 5, previous: 'b4', cursor: '140' },
    ],
  ])('%s', (_name, what, kept) => {
    expect(hears(following(), what).kept).toMatchObject(kept);
  });

  test('facts that the hub does not take are counted, and not sent again', () => {
    const rejected = [{ index: 0, why: 'unknown' }];
    const chain = hears(following(), [taken(batch(5), { answer: { rejected, server_time: NOON } })]);
    expect([chain.rejected, chain.kept.cursor]).toEqual([1, '150']);
  });

  test('how far the hub is ahead: half of the way there and back is taken off', () => {
    const ahead = { type: 'greeted', answer: answer({ server_time: NOON + 10_000 }), sentAt: NOON } as const;
    expect(heard(startChain(GOING), ahead, { now: NOON + 200, random: 0 }).offset).toBe(9_900);
  });

  test('a hub may want less at once, and never more', () => {
    const less = following(GOING);
    expect(less).toMatchObject({ level: 'full', limits: BATCH_LIMITS });
    expect(hears(GOING, [greeted({ level_at_most: 'title', limits: { facts: 10, bytes: 9_999_999 } })])).toMatchObject({
      level: 'title',
      limits: { facts: 10, bytes: BATCH_LIMITS.bytes },
    });
  });
});

describe('409: the hub has another last batch', () => {
  test.each<[string, LinkState, KeptBatch | 'none', Partial<LinkState>]>([
    [
      'rolled back: it goes back to where that batch ended',
      GOING,
      batch(2),
      { previous: 'b2', acknowledged: 2, cursor: '120', row: 12, heardAt: NOON - HOUR, backlog: null, serial: 5 },
    ],
    [
      'the answer to the last batch was lost: it goes on behind it',
      { ...GOING, serial: 6 },
      batch(5),
      { previous: 'b5', acknowledged: 5, cursor: '150', row: 15, heardAt: NOON, backlog: null },
    ],
    [
      'the answer to a batch of a resync was lost: that goes on',
      { ...GOING, serial: 6, backlog: { stage: 'history', after: 12, until: 14 } },
      batch(5, { end: null, inResync: true, row: 0 }),
      { previous: 'b5', cursor: '140', row: 14, backlog: { stage: 'history', after: 12, until: 14 } },
    ],
    [
      'rolled back, and forward again to the database that was away',
      { ...GOING, previous: 'b2', acknowledged: 2, cursor: '120', row: 12 },
      batch(4),
      { previous: 'b4', acknowledged: 4, cursor: '140', row: 14, backlog: null },
    ],
    [
      'back to a batch of a resync: which is of no feed, so all is sent again',
      GOING,
      batch(2, { end: null, inResync: true }),
      { previous: 'b2', cursor: '140', backlog: { stage: 'open', history: 10 } },
    ],
    [
      'back to a batch of the feed, sent before the history of a resync was: the same',
      GOING,
      batch(2, { inResync: true }),
      { previous: 'b2', cursor: '120', backlog: { stage: 'open', history: 10 } },
    ],
    [
      'back while a resync is under way: it begins again',
      { ...GOING, backlog: { stage: 'history', after: 12, until: 14 } },
      batch(2),
      { previous: 'b2', cursor: '120', backlog: { stage: 'open', history: 10 } },
    ],
    [
      'a hub with nothing of this machine: everything since the join',
      GOING,
      'none',
      { previous: null, acknowledged: -1, backlog: { stage: 'open', history: 10 } },
    ],
  ])('%s', (_name, from, known, kept) => {
    const chain = hears(following(from), [{ type: 'conflict', with: known }]);
    expect(chain.kept).toMatchObject(kept);
    expect(stepOf(chain, NOON)).toEqual({ do: 'hello' });
  });

  test('where the feed does not reach back so far, what is open and everything after that batch is sent', () => {
    const back = hears(following(), [{ type: 'conflict', with: batch(2) }, greeted(), { type: 'reset' }]);
    expect(back.kept.backlog).toEqual({ stage: 'open', history: 12 });
  });

  test('a fork is looked at again until its owner has decided', () => {
    const forked = hears(following(), [{ type: 'conflict', with: 'unknown' }]);
    expect(forked.phase.at).toBe('forked');
    const again = hears(forked, [{ type: 'conflict', with: 'unknown' }], NOON + 5 * MINUTE);
    expect(stepOf(again, NOON + 6 * MINUTE)).toMatchObject({ do: 'wait', until: NOON + 10 * MINUTE });
    expect(stepOf(hears(again, [greeted({ resync: 'all' })]), NOON)).toMatchObject({ do: 'list' });
  });

  test('a hub that refuses what it names is not asked without end', () => {
    const conflicts = Array<Heard>(4).fill({ type: 'conflict', with: batch(2) });
    expect(stepOf(hears(following(), conflicts), NOON)).toMatchObject({ do: 'wait' });
  });
});

describe('resync', () => {
  const listed: Heard = { type: 'listed', cursor: '200', row: 90 };
  const slice = (serial: number, row: number): Heard => taken(batch(serial, { end: null, row: 0 }), { history: row });

  test('first what is open, then history in slices, and the feed before each of them', () => {
    let chain = hears(following(), [{ type: 'reset' }, taken(batch(5, { end: null }))], NOON + 2 * DAY);
    expect(stepOf(chain, NOON + 2 * DAY)).toEqual({ do: 'list', since: NOON });
    chain = hears(chain, [listed], NOON + 2 * DAY);
    expect(stepOf(chain, NOON + 2 * DAY)).toMatchObject({
      do: 'follow',
      cursor: '200',
      history: { after: 14, until: 90 },
    });
    chain = hears(chain, [slice(6, 64)], NOON + 2 * DAY);
    expect(stepOf(chain, NOON + 2 * DAY)).toMatchObject({
      cursor: '200',
      history: { after: 64, until: 90, from: NOON + 2 * DAY + HISTORY.every },
    });
    chain = hears(chain, [taken(batch(7, { end: '210' })), slice(8, 90)], NOON + 2 * DAY);
    expect(stepOf(chain, NOON + 2 * DAY)).toEqual({ do: 'follow', cursor: '210', history: null });
  });

  test('a part of history of which nothing leaves costs no batch', () => {
    const chain = hears(following(), [{ type: 'reset' }, listed, { type: 'history-passed', after: 50 }]);
    expect(chain.kept).toMatchObject({ serial: 5, backlog: { after: 50, until: 90 } });
    expect(hears(chain, [{ type: 'history-passed', after: 90 }]).kept.backlog).toBeNull();
  });

  test('history waits a second at most, whatever the clock does', () => {
    const chain = hears(following(), [{ type: 'reset' }, listed, slice(5, 50)], Date.UTC(2035, 0, 1));
    expect(stepOf(chain, NOON)).toMatchObject({ history: { from: NOON + HISTORY.every } });
  });

  test('one that is interrupted begins again, and still knows what the hub has not heard of', () => {
    const broken = hears(
      following(),
      [{ type: 'reset' }, taken(batch(5, { end: null })), failed(true)],
      NOON + 2 * DAY,
    );
    const again = hears(startChain(broken.kept), [greeted()], NOON + 3 * DAY);
    expect(stepOf(again, NOON + 3 * DAY)).toEqual({ do: 'list', since: NOON });
  });

  test('what is open alone has no history, and does not cut one short that is under way', () => {
    const open: Heard = { type: 'resync', what: 'open' };
    expect(hears(following(), [open, listed]).kept.backlog).toBeNull();
    for (const again of [open, { type: 'reset' } as const]) {
      const within = hears(following(), [{ type: 'reset' }, listed, slice(5, 50), again]);
      expect(within.kept.backlog).toEqual({ stage: 'open', history: 50 });
    }
    expect(hears(following(), [{ type: 'reset' }, open]).kept.backlog).toEqual({ stage: 'open', history: 14 });
  });

  test.each([
    ['a command', (): Heard => ({ type: 'resync', what: 'all' })],
    ['a hello', () => greeted({ resync: 'all' })],
  ] as const)('everything by %s at most once a day; a hub that asks again gets what is open', (_name, ask) => {
    const first = hears(following(), [ask()]);
    expect(first.kept).toMatchObject({ backlog: { stage: 'open', history: 10 }, resyncedAt: NOON });
    const done = hears(first, [{ type: 'listed', cursor: '200', row: 10 }]);
    expect(hears(done, [ask()], NOON + DAY - 1).kept).toMatchObject({ backlog: { history: null }, resyncedAt: NOON });
    expect(hears(done, [ask()], NOON + DAY).kept.backlog).toEqual({ stage: 'open', history: 10 });
    expect(hears(done, [ask()], NOON - DAY).kept.backlog).toEqual({ stage: 'open', history: 10 });
  });
});
