// Text in Discord's Markdown: everything that it would take for markup, a mention, an emoji or a time is escaped (support.discord.com, "Markdown Text 101").
import { cutGraphemes } from '../../lib/text/text.ts';

/** Markup wherever it stands. An underscore within a word is none. */
const ANYWHERE = /[\\*~`|[\]<@]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=[\w+-]{1,64}:)/gu;
/** Headings, quotes and lists begin a line. */
const LINE_START = /^([ \t]*)([#>+-])/gm;
const NUMBERED = /^([ \t]*\d{1,9})([.)])/gm;
/** Whatever may be escaped. */
const SPECIAL = /[\\*~`|[\]<@_:#>+\-.)]/g;

/** Escaped, then at most `limit` characters long; cut so that no escape and no grapheme is split. */
export function markdownText(text: string, limit: number): string {
  const cut = cutGraphemes(text, limit, (part) => part.length + (part.match(SPECIAL)?.length ?? 0));
  return cut.replace(ANYWHERE, '\\$&').replace(LINE_START, '$1\\$2').replace(NUMBERED, '$1\\$2');
}
