// What is pushed, as the worker shows it: whatever comes, there is something to show.
import type { PushMessage } from '../../../model/channel/push-message.ts';

/** The text of a push; a newer or damaged one is shown as far as it can be read. */
export function readPush(text: string): PushMessage {
  const given = parsed(text);
  const word = (key: string, usual: string): string => {
    const value = given[key];
    return typeof value === 'string' && value !== '' ? value : usual;
  };
  const actions = Array.isArray(given['actions']) ? given['actions'].filter(isAction) : [];
  return {
    id: word('id', 'unknown'),
    tag: word('tag', 'belfry'),
    title: word('title', 'Belfry'),
    body: word('body', ''),
    at: typeof given['at'] === 'number' ? given['at'] : Date.now(),
    quiet: given['quiet'] === true,
    stays: given['stays'] === true,
    over: given['over'] === true,
    actions: actions.map(({ action, title }) => ({ action, title })),
  };
}

function isAction(value: unknown): value is PushMessage['actions'][number] {
  const { action, title } = (value ?? {}) as { readonly action?: unknown; readonly title?: unknown };
  return typeof action === 'string' && typeof title === 'string';
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
