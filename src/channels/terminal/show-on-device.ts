// Shows a notification on the terminal of a session outside tmux, or takes it away.
import type { Outcome } from '../../model/delivery/delivery.ts';
import type { Place } from '../../model/session/place.ts';
import { writeToDevice } from './write-to-device.ts';
import { BELL, sequenceOf } from './sequences.ts';
import { bytesOf, NOTHING, type OperationAt, type TerminalReceipt, wordsOf } from './what-to-show.ts';

/** `terminal`: its name, as the session's environment has it. */
type Device = { readonly path: string; readonly terminal: Place['terminal'] };

/** Writes nothing but a bell and what this terminal takes as a notification. */
export async function showOnDevice(operation: OperationAt<Device>): Promise<Outcome> {
  const { message, note, shown, settings, tools, place, signal, limit } = operation;
  const { open, bell, before } = shown;
  const wanted = settings.sequence === 'auto' ? sequenceOf(place.terminal) : settings.sequence;
  const sequence = before === null ? (wanted === 'none' ? null : wanted) : before.sequence;
  const receipt: TerminalReceipt = before ?? {
    tmux: null,
    tty: place.path,
    terminal: place.terminal,
    sequence,
    at: tools.now(),
  };
  const text = bytesOf(sequence, note, open) + (bell ? BELL : '');
  if (text === '') return before === null ? NOTHING : { ok: true, receipt };
  const notAfter = before?.at ?? message.content.event.at;
  const failure = await writeToDevice(text, { path: place.path, notAfter, signal, limit });
  if (failure === null) return { ok: true, receipt, answer: wordsOf(open, [sequence, bell && 'bell'], place.path) };
  return before !== null && failure.reason === 'client' ? { ok: true } : failure; // gone with its terminal
}
