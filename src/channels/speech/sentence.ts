// What is said of a notification: one short line, in which nothing steers the voice.
import { oneLine, truncate } from '../../lib/text/text.ts';
import type { NotificationContent } from '../../model/notification/notification.ts';

const MOST = 120;

/** `template` with its fields replaced. Brackets go: `[[...]]` holds commands of macOS and phonemes of espeak-ng; so do `<` and `>`. */
export function sentenceOf(template: string, { title, event }: NotificationContent): string {
  const fields: Readonly<Record<string, string>> = { title, project: event.project ?? '', agent: event.agent };
  const text = template.replace(/\{(\w{1,10})\}/g, (_field, name: string) => (fields[name] ?? '').slice(0, 2_000));
  return truncate(oneLine(oneLine(text).replace(/[[\]<>]/g, ' ')), MOST) || 'Belfry';
}
