// What ntfy is sent: docs.ntfy.sh, "Publish as JSON". Text is plain, and tags are ours, since some of them become emoji.
import { cutGraphemes, oneLine } from '../../lib/text/text.ts';
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import { withButtons } from './buttons.ts';

/** A longer message becomes an attachment, which no lock screen shows: bytes. */
const MESSAGE_BYTES = 4_096;
/** Not limited by the server, but phones show about that much: bytes. */
const TITLE_BYTES = 250;
/** Servers read twice the message's limit of JSON; this much is left for its own text, beside the other fields. */
const MESSAGE_JSON_BYTES = 2 * MESSAGE_BYTES - 1_500;

const bytes = (text: string): number => Buffer.byteLength(text, 'utf8');
const jsonBytes = (text: string): number => bytes(JSON.stringify(text)) - 2;

/** The JSON document. `sequence`: what later messages replace this one by. */
export function ntfyMessage(
  message: OutgoingMessage,
  to: {
    readonly topic: string;
    readonly sequence: string;
    readonly priority: number;
    /** Where buttons write to; null: nobody listens. */
    readonly answerUrl: string | null;
  },
): Record<string, unknown> {
  const { body: shown, actions } = withButtons(message, to.answerUrl);
  const body = shown || '-'; // the server puts "triggered" in place of nothing
  const tag = tagOf(message);
  return {
    topic: to.topic,
    title: cutGraphemes(oneLine(message.content.title) || 'Belfry', TITLE_BYTES, bytes),
    message: cutGraphemes(cutGraphemes(body, MESSAGE_BYTES, bytes), MESSAGE_JSON_BYTES, jsonBytes) || '-',
    priority: to.priority,
    ...(tag === null ? {} : { tags: [tag] }),
    ...(actions.length === 0 ? {} : { actions }),
    sequence_id: to.sequence,
  };
}

/** The emoji before the title; null: none. */
function tagOf({ content, resolution }: OutgoingMessage): string | null {
  if (resolution !== null) return 'white_check_mark';
  if (content.abnormal) return 'rotating_light';
  return content.urgency === 'urgent' ? 'warning' : null;
}
