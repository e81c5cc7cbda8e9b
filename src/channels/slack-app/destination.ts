// Where messages go: the channel of the settings, or the conversation with a person, who is looked up once.
import { asObject } from '../../lib/json/json.ts';
import type { CallBounds } from '../shared/call-bounds.ts';
import { type Called, callSlack } from './api.ts';
import type { SlackAppSettings } from './settings.ts';

/** A conversation. */
export interface SlackPlace {
  readonly channel: string;
  /** The person it is with; null: not one person's. */
  readonly user: string | null;
}

/** Finds it, and remembers it. */
export type FindPlace = (bounds: CallBounds) => Promise<SlackPlace | Extract<Called, { ok: false }>>;

/** Asks nothing yet. */
export function createPlaceFinder(settings: SlackAppSettings): FindPlace {
  const { channel, dm } = settings;
  let known: SlackPlace | null = channel === undefined ? null : { channel, user: null };
  return async (bounds) => {
    if (known !== null) return known;
    const found = await callSlack(settings, 'users.lookupByEmail', { email: dm ?? '' }, { ...bounds, form: true });
    if (!found.ok) return found;
    const user = idIn(found.answer['user']);
    const opened = await callSlack(settings, 'conversations.open', { users: user }, bounds);
    if (!opened.ok) return opened;
    known = { channel: idIn(opened.answer['channel']), user };
    return known;
  };
}

const idIn = (value: unknown): string => String(asObject(value)['id'] ?? '');
