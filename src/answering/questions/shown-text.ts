// The text of an agent as people read it who answer: whatever would hide in it, or turn its reading order, is shown by its number. Pure.

/**
 * Controls, what takes no room or turns the reading order, what looks like a space and is none, and letters buried under marks. Within an
 * emoji such a character belongs to it (the first group).
 */
const UNSEEN =
  /(\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?(?:\u200d\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?){0,8}|[0-9#*]\ufe0f\u20e3)|\p{M}{9,}|[^\P{C}\n\t]|\p{DI}|\p{Zl}|\p{Zp}|\u2800/gu;
/** What would pass for one of our own signs. */
const OURS = /‹(?=U\+|\d)/g;
/** Room with nothing in it, behind which the rest would be out of sight. */
const EMPTY_LINES = /\n(?:[ \t]*\n){9,}/g;
const SPACES = /[ \t\p{Zs}]{60,}/gu;

/** As it is shown. */
export interface ShownText {
  readonly text: string;
  /** Whether something in it could not have been seen as it is. */
  readonly hid: boolean;
}

/** Several lines. Never gets shorter by anything but what stands for nothing, and says how much that was. */
export function shownText(given: string): ShownText {
  const lines = given.replace(/\r\n/g, '\n').replace(OURS, sign);
  const seen = lines.replace(UNSEEN, (hidden, emoji?: string) => emoji ?? sign(hidden));
  const text = seen
    .replace(EMPTY_LINES, (room) => `\n‹${room.split('\n').length - 2} empty lines›\n`)
    .replace(SPACES, (room) => `‹${room.length} spaces›`);
  return { text, hid: seen !== lines };
}

/** One line: a line feed or a tab hides in it as well. */
export function shownLine(given: string): ShownText {
  const { text, hid } = shownText(given);
  const line = text.replace(/[\n\t]/g, sign);
  return { text: line, hid: hid || line !== text };
}

function sign(hidden: string): string {
  const [first = ''] = hidden;
  if (hidden.length > first.length) return `‹${[...hidden].length} marks›`;
  return `‹U+${(first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;
}
