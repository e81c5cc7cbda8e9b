// Names and titles as they are shown: what turns the reading order or cannot be seen stands there by its number.

/** Controls, marks of direction, spaces without a width. What joins letters of a script or an emoji stays. */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Such as `a‹U+202E›b`. How a line ends is no letter. */
export const shownText = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(UNSEEN, (letter) => `‹U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`);
