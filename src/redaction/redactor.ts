// Takes secrets out of a text before it leaves the machine or enters a log.
import { finder } from '../lib/text/safe-regexp.ts';
import { accounts } from './account-passwords.ts';
import { assigned } from './assignments.ts';
import { commanded } from './command-line-credentials.ts';
import { cookies } from './cookies.ts';
import { cutKeys } from './cut-keys.ts';
import { CONTEXTUAL_PATTERNS } from './contextual-patterns.ts';
import { randomAlone } from './entropy.ts';
import { PLACEHOLDER, matchesOf, type Span, replaceSpans } from './spans.ts';
import { tokens } from './token-formats.ts';

/** Removes secrets. */
export interface Redactor {
  /** The text with every secret replaced by `[redacted: KIND]`. Never throws; applying it again changes nothing. */
  readonly text: (text: string) => string;
}

/** Longest text that is searched; the rest is left out, since nothing that is sent is that long. */
const LONGEST = 200_000;
/** Ms that the user's own patterns may take on one text. */
const OWN_LIMIT = 250;
/** Most rounds until nothing changes; each replaces something, so a text that needs more is hostile. */
const ROUNDS = 40;

/** Texts remembered with their answer: an event's own come again in its notification, once a channel. */
const REMEMBERED = 200;
/** Longest text remembered, in code units. */
const REMEMBERED_LENGTH = 4_096;

/** `patterns`: the user's regular expressions, checked by `regexpFault` when the settings were read. */
export function createRedactor(options: { readonly patterns: readonly string[] }): Redactor {
  const own = options.patterns.length > 0 ? finder(options.patterns) : null;
  const ownSpans = (text: string): Span[] => {
    const found = own?.(text, OWN_LIMIT);
    // Too slow on this text: whether it holds a secret is not known, so none of it is shown.
    if (found === null) return [{ start: 0, end: text.length, kind: '' }];
    return (found ?? []).map(([start, end]) => ({ start, end, kind: '' }));
  };
  const once = (text: string): string => {
    const spans = builtIn(text);
    return replaceSpans(text, own ? [...spans, ...ownSpans(text)] : spans);
  };
  const recent = new Map<string, string>();
  return {
    text: (text) => {
      const known = recent.get(text);
      if (known !== undefined) return known;
      const clean = settle(bounded(text), once);
      if (text.length <= REMEMBERED_LENGTH) {
        if (recent.size >= REMEMBERED) recent.clear();
        recent.set(text, clean).set(clean, clean);
      }
      return clean;
    },
  };
}

/** Applies `once` between the marks until nothing changes. */
function settle(text: string, once: (part: string) => string): string {
  let current = text;
  for (let round = 0; round < ROUNDS; round++) {
    const next = betweenMarks(current, once);
    if (next === current) return current;
    current = next;
  }
  return '[redacted]';
}

function betweenMarks(text: string, once: (part: string) => string): string {
  let out = '';
  let at = 0;
  for (const mark of text.matchAll(PLACEHOLDER)) {
    out += once(text.slice(at, mark.index)) + mark[0];
    at = mark.index + mark[0].length;
  }
  return out + once(text.slice(at));
}

function builtIn(text: string): Span[] {
  const spans: Span[] = [];
  const lower = text.toLowerCase();
  for (const { kind, hints, find } of CONTEXTUAL_PATTERNS) {
    if (!hints.some((hint) => lower.includes(hint))) continue;
    for (const m of matchesOf(text, find)) {
      const secret = m.groups?.['s'] ?? m.groups?.['bare'];
      const start = secret === undefined ? m.index : m.index + m[0].lastIndexOf(secret);
      spans.push({ start, end: start + (secret ?? m[0]).length, kind });
    }
  }
  return [
    ...spans,
    ...tokens(text),
    ...cutKeys(text),
    ...assigned(text),
    ...cookies(text),
    ...commanded(text),
    ...accounts(text),
    ...randomAlone(text),
  ];
}

/** Cuts a text that is too long, at the last space so that no half of a secret is left. */
function bounded(text: string): string {
  if (text.length <= LONGEST) return text;
  const start = text.slice(0, LONGEST - 1);
  const space = start.search(/\s\S{0,5000}$/);
  return `${space > 0 ? start.slice(0, space) : ''}…`;
}
