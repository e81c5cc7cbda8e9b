// An account and its password side by side: dev@example.com:S3cr3t!, "log in as admin / S3cr3t!".
import { matchesOf, type Span } from './spans.ts';
import { isSecret, signs } from './secret-values.ts';

const ACCOUNT =
  /(?<![\w.@/:-])(?:[\w.+-]{1,64}@[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}|admin(?:istrator)?|root|postgres|guest|deploy|ubuntu|ec2-user|sa|oracle|user|elastic|minioadmin|superuser|(?:user|username|login|account|user name|log ?in (?:as|with)|sign ?in (?:as|with)|as user)(?:\s?[:=]\s?|\s)["'`]?[\w.+-]{2,64}["'`]?)(?:\s{0,2}[:|,;]\s{0,2}|\s[/-]\s|\t{1,4}|\s{1,4}(?:and|und|with|mit|et|con|y)\s{1,3}(?:pass\w{0,6}\s)?)["'`]?(?<s>[^\s"'`<>]{6,200})/gi;

/** Passwords that stand beside an account. Anything less than three kinds of signs could be a host, a path or a word. */
export function accounts(text: string): Span[] {
  const spans: Span[] = [];
  for (const m of matchesOf(text, ACCOUNT)) {
    const value = (m.groups?.['s'] ?? '').replace(/[.,:;!?)\]}]{1,4}$/, '');
    if (!isSecret(value, 'password', 'loose', false) || !isStrong(value)) continue;
    const start = m.index + m[0].lastIndexOf(value);
    spans.push({ start, end: start + value.length, kind: 'password' });
  }
  return spans;
}

/** Letters, digits and another sign, or both cases with digits; no path, address or file name. */
function isStrong(value: string): boolean {
  if (/^[~.]?\/|:\/\/|\/.*\/|\.\w{1,4}$|^v?\d+\.\d|[=(]/.test(value)) return false;
  return signs(value) === 3 || (/[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value));
}
