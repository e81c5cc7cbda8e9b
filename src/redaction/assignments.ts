// NAME=value, "name": "value", name: value, --name value, where the name says that the value is a secret.
import { looksRandom } from './entropy.ts';
import { matchesOf, type Span } from './spans.ts';

/** The last part of a name that says: secret. Whole words within snake, kebab and camel case. */
const NAMES =
  'pass(?:word|wd|phrase|code)?|pwd|secret(?:[_-]?(?:access[_-]?)?key)?|api[_-]?key|api[_-]?token|access[_-]?key|access[_-]?token|auth[_-]?token|auth[_-]?key|refresh[_-]?token|session[_-]?token|id[_-]?token|bot[_-]?token|private[_-]?key|encryption[_-]?key|signing[_-]?key|master[_-]?key|service[_-]?key|account[_-]?key|license[_-]?key|deploy[_-]?key|client[_-]?secret|token|credentials?|connection[_-]?string|webhook[_-]?url|salt|cookie';

const ASSIGNMENT = new RegExp(
  `(?<name>(?<![A-Za-z0-9])(?:[A-Za-z0-9]{1,40}[_.-]){0,6}(?:[A-Za-z0-9]{0,30}?)(?:${NAMES}))(?<close>["'\`]?)(?<sign>\\s{0,8}(?:=>|:=|[:=])\\s{0,8})(?:(?<quote>["'\`])(?<quoted>[^"'\`\\n]{3,500})\\k<quote>|(?<bare>[^\\s"'\`,;(){}<>[\\]|&]{3,500})(?<after>[(\\[]?))`,
  'gi',
);
const OPTION = new RegExp(
  `(?<=\\s--?)(?:[a-z0-9]{1,30}-){0,4}(?:${NAMES})\\s(?:"(?<quoted>[^"\\n]{3,500})"|(?<bare>[^\\s"'\`,;(){}<>[\\]|&-][^\\s"'\`,;(){}<>[\\]|&]{5,500}))`,
  'gi',
);

/** Values that name a secret instead of being one, or are plainly words of a program or its documentation. */
const NOT_A_SECRET =
  /^(?:\$|%[A-Z_]+%$|env:|file:|process\.env|os\.environ|import\.meta|ENV\[|secrets?\.|vars?\.|config\.|this\.|self\.|\*{3,}|\.{3}|x{4,}$|<|\{\{|\[redacted|(?:true|false|null|none|nil|undefined|string|number|boolean|object|any|unknown|never|void|bytes?|str|int|text|varchar|required|optional|missing|invalid|expired|empty|unset|redacted|hidden|changeme|change-me|example|placeholder|your[-_ ]|my[-_]|dummy|default|prompt|stdin|keyring|vault|yes|no|on|off)\b)/i;
/** A name, member or path as programs write them: words in camel, snake or kebab case with dots and slashes. */
const WORDS =
  /^[A-Za-z_$][a-z]*(?:[A-Z]?[a-z]+|[A-Z]+(?![a-z]))*(?:[._:/-]+(?:[A-Za-z][a-z]*(?:[A-Z][a-z]*)*|\d{1,3}))*[.:?!]?$/;
/** Names whose every value is a secret, be it a common word. */
const STRONG =
  /(?:pass(?:word|wd|phrase|code)|pwd|passwd|secret(?:[_-]?(?:access[_-]?)?key)?|api[_-]?key|client[_-]?secret)$/i;

/** Values of assignments whose name says secret. */
export function assigned(text: string): Span[] {
  const spans: Span[] = [];
  for (const m of matchesOf(text, ASSIGNMENT)) {
    const { name = '', sign = '', quoted, bare, after = '' } = m.groups ?? {};
    const value = quoted ?? bare ?? '';
    const tight = /^(?:=|:=)$/.test(sign) || quoted !== undefined;
    if (after !== '' || !isSecret(name, value, tight)) continue;
    const start = m.index + m[0].lastIndexOf(value);
    spans.push({ start, end: start + value.length, kind: kindOf(name) });
  }
  for (const m of matchesOf(text, OPTION)) {
    const value = m.groups?.['quoted'] ?? m.groups?.['bare'] ?? '';
    if (!isSecret(m[0].split(/\s/)[0] ?? '', value, false)) continue;
    const start = m.index + m[0].lastIndexOf(value);
    spans.push({ start, end: start + value.length, kind: 'secret' });
  }
  return spans;
}

/** `tight`: written as a value is (NAME=value, or in quotes), not as prose or a type annotation is. */
function isSecret(name: string, value: string, tight: boolean): boolean {
  if (NOT_A_SECRET.test(value)) return false;
  if (/\s/.test(value)) return tight && STRONG.test(name) && !/^[\p{L}\s.,!?'’-]+$/u.test(value);
  if (looksRandom(value, 8)) return true;
  if (!STRONG.test(name)) return false;
  if (tight && /^[A-Z0-9_]+$/.test(name)) return value.length >= 4; // PASSWORD=hunter
  const mixed = /\d/.test(value) && /\p{L}/u.test(value);
  return tight ? mixed || !WORDS.test(value) : mixed && !WORDS.test(value) && value.length >= 6;
}

function kindOf(name: string): string {
  return /pass|pwd/i.test(name) ? 'password' : /token/i.test(name) ? 'token' : /key/i.test(name) ? 'key' : 'secret';
}
