// Names that say that what stands beside them is a secret.

/** How much a name says: of a password any value counts, of a token one that is not a plain word, of a key one that looks random. */
export type Strength = 'password' | 'token' | 'key';

/** A name in a text, from its first sign to behind its last. */
export interface Named {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly strength: Strength;
}

const PASSWORD =
  'pass[-_ ]?(?:word|wd|phrase|code)|passwort|kennwort|wachtwoord|mot de passe|contrase(?:ñ|n)a|senha|lösenord|парол[ья]|密码|パスワード|pwd|userpwd|requirepass|masterauth|rootpw|bindpw';
const TOKEN =
  'secret[-_ ]?(?:access[-_ ]?)?key(?:[-_ ]?base)?|(?:api|access|auth|app|application|private|encryption|signing|signature|master|admin|service|account|license|deploy|client|shared|subscription|storage|secret|session|integration|write|account|hmac|aes|jwt|ssh|write|ingest|server|root|consumer|host|function|registration|unseal|recovery|bot|dek|webhook)[-_ .]?key|authtoken|apikeys?|connection[-_ ]?string|webhook[-_]?url|jwt|mnemonic|seed[-_ ]phrase|recovery[-_ ]code|otp[-_]?secret|authorization|creds|presharedkey|sessid|csrf|xsrf|dsn|passkey|client[-_]key[-_]data|token|secret|credentials?';
const KEY = 'pass|pw|auth|key|salt|pat|psk|pin|sig|signature|sas|seed|hash[-_]?key|nonce[-_]?key';

/** A suffix that leaves the name what it is. */
const SUFFIX =
  '(?:[-_.]?(?:\\d{1,3}|prod|production|dev|development|test|testing|stage|staging|live|sandbox|main|primary|secondary|old|new|current|value|plain|text|string|b64|base64|raw|default|local|ci|admin|root|user|ro|rw|read|write|master|slave|replica))?';
/** What every name has in it; most words of a text have none. */
const CORE =
  /pass|pwd|pw|token|secret|key|cred|auth|webhook|connection|bearer|jwt|mnemonic|seed|recovery|otp|dsn|csrf|xsrf|sess|rootpw|salt|pat|psk|pin|sig|sas|kennwort|wachtwoord|contrase|senha|lösenord|парол|密码|パスワード/gi;
/** A whole name, from where its core begins or a little before. */
const NAME = new RegExp(
  `(?:(?<password>${PASSWORD})|(?<token>${TOKEN})|(?<key>${KEY}))${SUFFIX}(?![-_]?[A-Za-z0-9])`,
  'iy',
);
/** Names of what is public or a place in a table, though they end as a secret's. */
const PUBLIC =
  /(?:^|[-_. ])(?:public|publishable|primary|foreign|cache|partition|sort|idempotency|dedup(?:e|lication)?|object|s3|index|group|lookup|row|map|query|translation|i18n|hot|short|shortcut|host|arrow|next|page|continuation|sync|cursor|pagination|cancell?ation|abort|csrf_?header|max|min|num|total|input|output|prompt|completion|cached|reasoning|thinking|stop|eos|bos|pad|unk|mask|special|design|css|theme|syntax|lexer|parser)s?[-_. ]?(?:token|key|pass|pin|sig|auth)s?$/i;
const LETTER = /[\p{L}\p{N}]/u;

/** Every name of a secret in a text, with the words before it that belong to it (DB_PASSWORD, spring.datasource.password). */
export function namesIn(text: string): Named[] {
  const found: Named[] = [];
  let behind = 0;
  CORE.lastIndex = 0;
  // One sign on, not behind the core: "RootPassword" has an "otp" that hides its "pass".
  for (
    let core = CORE.exec(text);
    core !== null;
    CORE.lastIndex = Math.max(behind, core.index + 1), core = CORE.exec(text)
  ) {
    const start = Math.max(behind, beginning(text, core.index));
    const m = nameAt(text, behind, core.index);
    if (!m) continue;
    const from = Math.min(start, m.index);
    behind = m.index + m[0].length;
    const strength = m.groups?.['password'] ? 'password' : m.groups?.['token'] ? 'token' : 'key';
    if (strength !== 'token' && !startsWord(text, m.index) && !/^pass/i.test(m[0])) continue;
    if (strength === 'key' && !startsWord(text, m.index)) continue;
    const name = text.slice(from, behind);
    if (!PUBLIC.test(name.replace(/([a-z\d])([A-Z])/g, '$1_$2')))
      found.push({ start: from, end: behind, name, strength });
  }
  return found;
}

/** The first name that begins between two places: a core can have a word before it, as in "api key". */
function nameAt(text: string, start: number, core: number): RegExpExecArray | null {
  for (let at = Math.max(start, core - LEAD); at <= core; at++) {
    NAME.lastIndex = at;
    const m = NAME.exec(text);
    if (m && m.index + m[0].length > core) return m;
  }
  return null;
}

/** Longest word that a name can have before its core. */
const LEAD = 14;
/** Most signs of a name before the part that says secret. */
const LONGEST = 80;

function beginning(text: string, at: number): number {
  let start = at;
  // "api key": the word before belongs to it.
  if (/\s/.test(text[start - 1] ?? '') && /\w/.test(text[start - 2] ?? '')) start--;
  while (start > 0 && at - start < LONGEST && /[A-Za-z0-9_.-]/.test(text[start - 1] ?? '')) start--;
  return start;
}

function startsWord(text: string, at: number): boolean {
  const before = text[at - 1] ?? ' ';
  return !LETTER.test(before) || (/[a-z0-9]/.test(before) && /[A-Z]/.test(text[at] ?? ''));
}
