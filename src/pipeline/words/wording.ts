// The wording of `[messages]` and of a channel: templates in the place of the built-in title and body.
import type { Wording } from '../../model/notification/wording-settings.ts';
import type { Event } from '../../model/event/event.ts';
import { fillTemplate, type TemplateField, type TemplateValues } from '../../model/notification/message-template.ts';
import type { NotificationContent } from '../../model/notification/notification.ts';
import { formatElapsed } from '../../model/quantities.ts';
import { sanitize, sanitizeLine } from '../../lib/text/text.ts';

/** Longest title and body, and longest value of a field, in graphemes. */
const LIMITS = { title: 150, body: 4_000, field: 2_000, line: 120 } as const;

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

function part(value: unknown, key: string): string | null {
  return typeof value === 'object' && value !== null ? text((value as Readonly<Record<string, unknown>>)[key]) : null;
}

/** The value of each field, clean and bounded; null: not known. `who`: the agent as shown to people. */
function valuesOf({ title, body, count, event }: NotificationContent, who: string): TemplateValues {
  const { attributes } = event;
  const seconds = typeof attributes['seconds'] === 'number' ? attributes['seconds'] : null;
  const values: Readonly<Record<TemplateField, string | null>> = {
    title,
    body,
    message: event.message,
    project: event.project,
    branch: event.branch,
    agent: who,
    host: event.host,
    user: event.user,
    session: event.sessionId,
    cwd: event.cwd,
    detail: event.detail,
    urgency: event.urgency,
    count: String(count),
    tool: part(attributes['tool'], 'name'),
    command: part(attributes['tool'], 'summary'),
    duration: seconds === null ? null : formatElapsed(seconds),
    answer: text(attributes['last_assistant_message']),
    request: text(attributes['prompt']) ?? text(attributes['request']),
    reason: event.reason ?? event.detail,
    subagent: part(attributes['subagent'], 'name'),
    event: event.hookEvent,
  };
  return values;
}

type Cleaning = (value: string, limit: number) => string;

const cleaned = (values: TemplateValues, clean: Cleaning, limit: number): TemplateValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ? clean(value, limit) : null]));

const templateOf = (of: 'title' | 'body', { kind }: Event, wordings: readonly (Wording | null)[]): string | null =>
  wordings.map((wording) => wording?.[of][kind]).find((template) => template !== undefined) ?? null;

/**
 * The content in the words of the settings: those of the first wording that has a template of its kind. Values are data: braces, markup
 * and controls in them mean nothing. A title that comes out empty stays as it was.
 */
export function applyWording(
  content: NotificationContent,
  who: string,
  wordings: readonly (Wording | null)[],
): NotificationContent {
  const title = templateOf('title', content.event, wordings);
  const body = templateOf('body', content.event, wordings);
  if (title === null && body === null) return content;
  const values = valuesOf(content, who);
  const line = title === null ? '' : fillTemplate(title, cleaned(values, sanitizeLine, LIMITS.line));
  return {
    ...content,
    title: sanitizeLine(line, LIMITS.title) || content.title,
    body:
      body === null ? content.body : sanitize(fillTemplate(body, cleaned(values, sanitize, LIMITS.field)), LIMITS.body),
  };
}
