// Wraps a sentence at spaces for a terminal; a word longer than the line (a path, an address) stays whole, so that it can be copied.

/** Lines of at most `width` characters where the words allow it; fewer than 20 are not worth wrapping to. */
export function wrap(text: string, width: number): string[] {
  if (width < 20 || text.length <= width) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
