// Teams at work: one request a card. What it answers is not kept: the workflow says no more than its status.
import type { ChannelTools, OpenChannel } from '../../model/channel/channel.ts';
import { classifyResponse, httpChannel } from '../shared/http-channel.ts';
import { teamsMessage } from './card.ts';

/** Connects to nothing yet. */
export function openTeams(
  settings: { readonly url: string; readonly allow_private: boolean },
  tools: ChannelTools,
): OpenChannel {
  return httpChannel({
    settings,
    tools,
    request: (message) => ({
      method: 'POST',
      url: settings.url,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(teamsMessage(message)),
    }),
    classify: (end) => {
      const outcome = classifyResponse(end);
      return outcome.ok && outcome.status === 202
        ? { ok: true, status: 202, answer: 'the workflow was started' }
        : outcome;
    },
  });
}
