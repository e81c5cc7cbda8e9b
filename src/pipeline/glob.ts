// Patterns in routes and silences: `*` and `?` in any text; in folders `*` stays within one name and `**` does not.

const literal = (text: string): string => text.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');

/** Whether a text matches; without a wildcard it must be equal. */
export function matchesText(pattern: string, text: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === text;
  const source = literal(collapse(pattern)).replaceAll('*', '.*').replaceAll('?', '.');
  return new RegExp(`^${source}$`, 'su').test(text);
}

/** `~` is the home; `/` separates on every platform; `DIR/**` is the folder and all below it. */
export function matchesFolder(pattern: string, folder: string, home: string): boolean {
  const wanted = trim(slashes(expand(pattern, home)));
  const given = trim(slashes(folder));
  if (!/[*?]/.test(wanted)) return wanted === given;
  const source = literal(wanted)
    .replace(/\/\*\*$/, '\u0001')
    .replaceAll(/\*{2,}\//g, '\u0002')
    .replaceAll(/\*{2,}/g, '\u0003')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
    .replaceAll('\u0001', '(?:/.*)?')
    .replaceAll('\u0002', '(?:.*/)?')
    .replaceAll('\u0003', '.*');
  return new RegExp(`^${source}$`, 'su').test(given);
}

/** The folder itself or anything below it, or what the pattern matches. */
export function matchesFolderOrBelow(pattern: string, folder: string, home: string): boolean {
  return matchesFolder(pattern, folder, home) || matchesFolder(`${trim(slashes(pattern))}/**`, folder, home);
}

const collapse = (pattern: string): string => pattern.replaceAll(/\*+/g, '*');
const expand = (pattern: string, home: string): string =>
  pattern === '~' || /^~[\\/]/.test(pattern) ? home + pattern.slice(1) : pattern;
const slashes = (path: string): string => path.replaceAll('\\', '/');
const trim = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') || '/' : path);
