// The terminal channel at work: operations on one terminal or pane run one after the other, and none waits for another's.
import { createKeyedTurns } from '../../lib/async/one-after-another.ts';
import type { ChannelTools, OpenChannel, OutgoingMessage, SendContext } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { HERE } from '../../model/session/whereabouts.ts';
import type { Place } from '../../model/session/place.ts';
import { asOutcome, createOperations } from '../shared/operations.ts';
import { byClient } from './show-by-client.ts';
import { toNote } from './sequences.ts';
import { showInPane } from './show-in-pane.ts';
import { showOnDevice } from './show-on-device.ts';
import { type Failure, readReceipt, type Shown, type TerminalSettings } from './what-to-show.ts';

const UNKNOWN: Failure = {
  ok: false,
  reason: 'client',
  error: 'the terminal of this session is not known: it runs elsewhere, or without one',
};

const HELD_UP: Failure = {
  ok: false,
  reason: 'timeout',
  error: 'other notifications waited for this terminal: press Ctrl-Q in it if it was stopped with Ctrl-S',
};

/** Ms that a terminal may take nothing: what else is for it waits meanwhile. */
const BUSY = 2_000;

/** Asks and writes nothing yet. */
export function openTerminal(settings: TerminalSettings, tools: ChannelTools): OpenChannel {
  const running = createOperations();
  const inTurn = createKeyedTurns(); // a badge is read, changed and written

  function perform(message: OutgoingMessage, shown: Shown, { signal: outer, timeoutMs }: SendContext) {
    const note = asOutcome(() => toNote(message));
    if ('ok' in note) return Promise.resolve(note);
    const { tmux = null, tty = null, terminal = null } = shown.before ?? placeOf(message) ?? {};
    return running.run(outer, async (signal): Promise<Outcome> => {
      const what = { message, note, shown, settings, tools, signal, limit: Math.min(timeoutMs, BUSY) };
      const turn = (key: string, work: () => Promise<Outcome>) =>
        unlessAborted(signal, (begin) => inTurn(key, () => begin(work)));
      if (tmux !== null) return turn(`${tmux.socket} ${tmux.pane}`, () => showInPane({ ...what, place: tmux }));
      if (tty === null) return UNKNOWN;
      return turn(tty, () => showOnDevice({ ...what, place: { path: tty, terminal } }));
    });
  }

  async function change(message: OutgoingMessage, receipt: unknown, open: boolean, context: SendContext) {
    const before = readReceipt(receipt);
    if (before === null) return { ok: true } as const; // nothing of ours is there
    return perform(message, { open, bell: false, before }, context);
  }

  return {
    send: async (message, context) => {
      const bell = settings.bell && message.content.urgency !== 'low';
      const outcome = await perform(message, { open: true, bell, before: null }, context);
      if (outcome.ok || outcome.reason !== 'client' || !settings.by_client) return outcome;
      return running.run(context.signal, (signal) => byClient(message, { bell, settings, tools, signal }));
    },
    update: (message, receipt, context) => change(message, receipt, message.resolution === null, context),
    retract: (message, receipt, context) => change(message, receipt, false, context),
    close: running.close,
  };
}

/** Ends as soon as the signal fires, unless its turn has come by then: what has begun ends by itself. */
function unlessAborted(
  signal: AbortSignal,
  wait: (begin: (work: () => Promise<Outcome>) => Promise<Outcome>) => Promise<Outcome>,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => resolve(HELD_UP);
    signal.addEventListener('abort', giveUp, { once: true });
    wait(async (work) => {
      signal.removeEventListener('abort', giveUp);
      return signal.aborted ? HELD_UP : work();
    }).then(resolve, reject);
  });
}

/** Null: it is not of this machine and user, or nothing is known of it. */
function placeOf({ content: { event } }: OutgoingMessage): Place | null {
  return event.host === HERE.host && event.user === HERE.user ? event.place : null;
}
