// Values of cookies: whoever has one is the user.
import { matchesOf, type Span } from './spans.ts';

/** Where cookies stand: the two headers, curl's option, a script's document.cookie. */
const PLACE =
  /(?:\b(?:set-)?cookie2?\\{0,7}["'`]?\s{0,3}(?:[:=,]|=>)\s{0,3}|\s(?:-b|--cookie)[= ]{1,3})\\{0,7}["'`]?(?=[\w.%-]{1,80}=)/gi;
const PAIR = /\s{0,4}([\w.%-]{1,80})=("?)([^\s;"'`\\]{0,4096})\2;?/y;
/** Attributes of a Set-Cookie, and cookies that say what a page looks like. */
const ORDINARY =
  /^(?:path|domain|expires|max-age|samesite|secure|httponly|version|priority|partitioned|lang(?:uage)?|locale|theme|color[-_]?scheme|tz|timezone|currency|country|region|consent|cookie_?consent|_ga\w*|_gid|_gat|dark_?mode|sidebar|view|layout|version)$/i;
/** Shorter values are settings of a page. */
const LEAST = 8;

/** The values in Cookie and Set-Cookie headers that can be a session. */
export function cookies(text: string): Span[] {
  const spans: Span[] = [];
  for (const place of matchesOf(text, PLACE)) {
    PAIR.lastIndex = place.index + place[0].length;
    for (let pair = PAIR.exec(text); pair !== null; pair = PAIR.exec(text)) {
      const [all, name = '', quote = '', value = ''] = pair;
      const start = pair.index + all.length - value.length - quote.length - Number(all.endsWith(';'));
      if (isSession(name, value)) spans.push({ start, end: start + value.length, kind: 'cookie' });
    }
  }
  return spans;
}

function isSession(name: string, value: string): boolean {
  if (ORDINARY.test(name) || value.length < LEAST || /^[$<{%]/.test(value)) return false;
  return value.length >= 16 || /\d/.test(value);
}
