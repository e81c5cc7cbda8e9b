// The window in which somebody writes words for an agent (docs.slack.dev, "Modals", "view_submission payload").
import * as z from 'zod';
import type { JsonObject } from '../../lib/json/json.ts';
import type { CallBounds } from '../shared/call-bounds.ts';
import { callSlack } from './api.ts';
import type { SlackAppSettings } from './settings.ts';

const MODAL = 'belfry_words';
/** Slack takes 3,000 at most. */
const LONGEST = 3_000;

const text = z.string().max(4_000);
const submitted = z.object({
  type: z.literal('view_submission'),
  user: z.object({ id: text, name: text.optional(), username: text.optional(), team_id: text.optional() }),
  team: z.object({ id: text }).nullish(),
  view: z.object({
    callback_id: z.literal(MODAL),
    private_metadata: text,
    state: z.object({ values: z.object({ words: z.object({ words: z.object({ value: text.nullish() }) }) }) }),
  }),
});

/** What was written, and for which button. */
export interface Submitted extends Pick<z.output<typeof submitted>, 'user' | 'team'> {
  readonly reference: string;
  readonly text: string;
}

/** Asks whoever pressed for words; the button's reference comes back with them. Null: it is open. */
export async function openModal(
  settings: SlackAppSettings,
  triggerId: string,
  reference: string,
  bounds: CallBounds,
): Promise<string | null> {
  const plain = (words: string): object => ({ type: 'plain_text', text: words, emoji: false });
  const input = { type: 'plain_text_input', action_id: 'words', multiline: true, max_length: LONGEST };
  const view = {
    type: 'modal',
    callback_id: MODAL,
    private_metadata: reference,
    title: plain('Answer'),
    submit: plain('Send'),
    close: plain('Cancel'),
    blocks: [{ type: 'input', block_id: 'words', label: plain('What to tell the agent'), element: input }],
  };
  const called = await callSlack(settings, 'views.open', { trigger_id: triggerId, view }, bounds);
  return called.ok ? null : called.outcome.error;
}

/** Null: it is no such window, or nothing was written. */
export function readSubmission(payload: JsonObject): Submitted | null {
  const { data } = submitted.safeParse(payload);
  const words = data?.view.state.values.words.words.value;
  return data && words
    ? { user: data.user, team: data.team, reference: data.view.private_metadata, text: words }
    : null;
}
