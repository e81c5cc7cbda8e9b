// Lets the session's own client write to its terminal, where that cannot be reached from here. What it wrote cannot be taken back.
import type { ChannelTools, OutgoingMessage } from '../../model/channel/channel.ts';
import type { Outcome } from '../../model/delivery/delivery.ts';
import { BELL, sequenceOf, toNote } from './sequences.ts';
import { bytesOf, NOTHING, type TerminalSettings } from './what-to-show.ts';

/** A client runs its hook for a prompt when nobody has answered for six seconds; with room for a busy machine, ms. */
const PATIENCE = 9_000;

/** What the operation is given. */
interface ByClient {
  readonly bell: boolean;
  readonly settings: TerminalSettings;
  readonly tools: ChannelTools;
  readonly signal: AbortSignal;
}

/** Ends when the client has taken it, or does not in time. */
export async function byClient(
  message: OutgoingMessage,
  { bell, settings, tools, signal }: ByClient,
): Promise<Outcome> {
  const { place } = message.content.event;
  const wanted = settings.sequence === 'auto' ? sequenceOf(place?.terminal ?? null) : settings.sequence;
  const text = bytesOf(wanted === 'none' ? null : wanted, toNote(message), true) + (bell ? BELL : '');
  if (text === '') return NOTHING;
  const taken = await tools.clients?.offer(message.threadKey, text, PATIENCE, signal);
  if (taken) return { ok: true, answer: "handed to the agent's client" };
  const error = "the agent's client asked for nothing in time: is it installed with `--answer`?";
  return { ok: false, reason: 'client', error, ...(signal.aborted && { unknown: true as const }) };
}
