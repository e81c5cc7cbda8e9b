// Patterns in routes and silences: `*` and `?` in any text; in folders `*` stays within one name and `**` does not.

/** Whether a text matches; without a wildcard it must be equal. Takes no longer than the product of both lengths. */
export function matchesText(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  /** Where to backtrack to: behind the last star, and how much of the text it has consumed. */
  let star = -1;
  let eaten = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p;
      eaten = t;
      p += 1;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      eaten += 1;
      p = star + 1;
      t = eaten;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}

/** `~` is the home; `/` separates on every platform; `DIR/**` is the folder and all below it. */
export function matchesFolder(pattern: string, folder: string, home: string): boolean {
  return matchesNames(names(expand(pattern, home)), names(folder));
}

/** The folder itself or anything below it, or what the pattern matches. */
export function matchesFolderOrBelow(pattern: string, folder: string, home: string): boolean {
  return matchesNames([...names(expand(pattern, home)), '**'], names(folder));
}

/** Which beginnings of the folder the pattern's names so far can match, name by name. */
function matchesNames(pattern: readonly string[], folder: readonly string[]): boolean {
  let reached: readonly boolean[] = [true, ...folder.map(() => false)];
  for (const wanted of pattern) {
    const next: boolean[] = [wanted === '**' && reached[0] === true];
    for (const [i, name] of folder.entries())
      next.push(
        wanted === '**'
          ? next[i] === true || reached[i + 1] === true
          : reached[i] === true && matchesText(wanted, name),
      );
    reached = next;
  }
  return reached.at(-1) === true;
}

const expand = (pattern: string, home: string): string =>
  pattern === '~' || /^~[\\/]/.test(pattern) ? home + pattern.slice(1) : pattern;
const names = (path: string): readonly string[] => path.replace(/(?<![\\/])[\\/]+$/, '').split(/[\\/]/);
