// Shows a notification in a pane of tmux, or takes it away: the badge by tmux itself, bell and sequence through the pane.
import type { Outcome } from '../../model/delivery/delivery.ts';
import type { Place } from '../../model/session/place.ts';
import { badgeCommand, badgeWord, readBadges, withBadge } from './badge.ts';
import { writeToDevice } from './write-to-device.ts';
import { BELL, type Sequence, sequenceOf, throughTmux } from './sequences.ts';
import { bytesOf, type Failure, NOTHING, type OperationAt, type TerminalReceipt, wordsOf } from './what-to-show.ts';
import { askPane, type Pane, tmuxAt, type Tmux, troubleOf } from './tmux.ts';

type InPane = OperationAt<NonNullable<Place['tmux']>>;

/** What goes with its pane needs not be taken away. */
export async function showInPane(operation: InPane): Promise<Outcome> {
  const { note, shown, settings, tools, place, signal, limit } = operation;
  const { open, bell, before } = shown;
  const tmux = tmuxAt(place, { tools, signal, limit });
  const pane = await askPane(tmux, place.pane);
  if ('ok' in pane) return before !== null && pane.reason === 'client' ? { ok: true } : pane;
  const badge = settings.tmux ? await setBadge(tmux, pane, operation) : null;
  if (badge !== null && badge !== 'badge') return badge;
  const sequence = before === null ? sequenceThrough(pane, settings.sequence) : before.sequence;
  const receipt: TerminalReceipt = before ?? {
    tmux: { ...place },
    tty: null,
    terminal: null,
    sequence,
    at: tools.now(),
  };
  const text = throughTmux(bytesOf(sequence, note, open)) + (bell ? BELL : '');
  if (text === '' && badge === null && before === null) return NOTHING;
  const failure = text === '' ? null : await writeToDevice(text, { path: pane.tty, notAfter: null, signal, limit });
  if (failure !== null && badge === null) return failure;
  const parts = [badge, ...(failure === null ? [sequence, bell && 'bell'] : [])];
  return { ok: true, receipt, answer: wordsOf(open, parts, `pane ${place.pane} of tmux`) };
}

/** What every terminal that shows the pane takes, where tmux hands it on; null: nothing. */
function sequenceThrough({ passes, terminals }: Pane, wanted: InPane['settings']['sequence']): Sequence | null {
  if (!passes || wanted === 'none' || terminals.length === 0) return null;
  if (wanted !== 'auto') return wanted;
  const known = terminals.map((names) => names.map(sequenceOf).find((found) => found !== null) ?? null);
  const [first = null] = known;
  return known.every((one) => one === first) ? first : null;
}

/** Null: this event has no badge, or panes have no options, as before version 3.0. */
async function setBadge(
  tmux: Tmux,
  { open: option }: Pane,
  { message, note, shown, place }: InPane,
): Promise<'badge' | Failure | null> {
  const word = shown.open ? badgeWord(message.content.event) : null;
  const open = readBadges(option);
  if (word === null && !open.has(note.id)) return null;
  const set = await tmux(...badgeCommand(place.pane, withBadge(open, note.id, word)));
  return troubleOf(set) ?? (set.code === 0 ? 'badge' : null);
}
