// Hides what may be a secret in a line of somebody's settings before it is shown in a diff.

const NAMED =
  /("[^"]*(?:key|token|secret|passw|auth|credential|cookie|webhook|dsn|url)[^"]*"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi;
const FORMS = /\b(?:sk-|xox[a-z]-|gh[a-z]_|github_pat_|AKIA|eyJ|fk-|AIza|glpat-|npm_)[A-Za-z0-9._-]{8,}/g;
const BEARER = /\b(bearer|basic)\s+[A-Za-z0-9+/=._-]{8,}/gi;
/** A long run of letters and digits that is no path and no word. */
const RANDOM = /(?<![\w/.-])(?=[A-Za-z0-9_+=-]*\d)(?=[A-Za-z0-9_+=-]*[A-Za-z])[A-Za-z0-9_+=-]{32,}(?![\w/.-])/g;
const ADDRESS = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s"@/]+@/gi;

/** The line with secrets as `***`. */
export function maskSecrets(line: string): string {
  return line
    .replace(NAMED, '$1"***"')
    .replace(FORMS, '***')
    .replace(BEARER, '$1 ***')
    .replace(ADDRESS, '$1***@')
    .replace(RANDOM, '***');
}
