// The app's own workspace: in a channel that is shared with others (Slack Connect), a press names the presser's.
import { type Called, callSlack } from './api.ts';
import type { CallBounds } from '../shared/call-bounds.ts';
import type { SlackAppSettings } from './settings.ts';

/** Its id; asked of Slack once. */
export type FindTeam = (bounds: CallBounds) => Promise<string | Extract<Called, { ok: false }>>;

/** Asks nothing yet. */
export function createTeamFinder(settings: SlackAppSettings): FindTeam {
  let known: string | null = null;
  return async (bounds) => {
    if (known !== null) return known;
    const called = await callSlack(settings, 'auth.test', {}, bounds);
    if (!called.ok) return called;
    known = String(called.answer['team_id'] ?? '');
    return known;
  };
}
