// NAME=value, "name": "value", name: value, --name value, <name>value</name>, "the name is value", where the name says that the value is a secret.
import { type Named, namesIn } from './secret-names.ts';
import { looksRandom } from './entropy.ts';
import type { Span } from './spans.ts';
import { closesQuote, isSecret, readValue, type Tie, type Value } from './secret-values.ts';

/** What can stand between a name and its value; the first that fits decides how closely they are tied. */
interface Link {
  readonly sign: RegExp;
  readonly tie: Tie;
  /** Whether the name has to be an option, a variable or a keyword for this link to count. */
  readonly when?: (text: string, named: Named) => boolean;
}

const option = (text: string, { start }: Named): boolean => {
  const line = text.slice(Math.max(0, start - 3), start);
  return /(?:^|[\s"'`[(,])--?$|(?:^|\s)\/$/.test(line) || /^--?\w/.test(text.slice(start, start + 3));
};
/** Commands and files in which a name and its value stand side by side. */
const beside = (text: string, { start, name, strength }: Named): boolean =>
  /(?:^|\n|[;&|]\s{0,4})\s{0,8}(?:setenv|set -[a-zA-Z]{1,4}|set|setx|ENV|ARG|default|machine\s[^\n]{0,200}|login\s[^\n]{0,100})\s{1,8}$/.test(
    text.slice(Math.max(0, start - 240), start),
  ) ||
  /^(?:requirepass|masterauth|rootpw|bindpw|_authToken)$/i.test(name) ||
  (strength !== 'key' &&
    /\blogin\s{1,4}\S{1,100}\s{1,8}(?:account\s{1,4}\S{1,100}\s{1,4})?$/.test(
      text.slice(Math.max(0, start - 240), start),
    ));

const LINKS: readonly Link[] = [
  // "name": "value", name = value, name => value, name := value, name: value; also "]" of $_ENV["name"] = and "." of a table.
  {
    sign: /(?:\\{0,7}["'`]|&quot;|%22|\\{1,8}u0022)?[\])]{0,2}\s{0,8}(?:=>|:=|==?(?!=)|\?=|\+=|→|->)\s{0,8}/y,
    tie: 'tight',
  },
  { sign: /(?:\\{0,7}["'`]|&quot;|%22|\\{1,8}u0022)[\])]{0,2}\s{0,8}:\s{0,8}/y, tie: 'tight' },
  { sign: /%3D/iy, tie: 'tight' },
  // name: |  and  name: >  of YAML, with the value on the lines below.
  { sign: /:\s{0,4}[|>][-+]?\d?[ \t]{0,8}\r?\n[ \t]{1,40}/y, tie: 'tight' },
  { sign: /[ \t]{0,4}[:：][ \t]{0,20}(?:!!?\w{1,10}[ \t]{1,4})?/y, tie: 'loose' },
  // <name>value</name>, <name attribute>value</name>, name</key><string>value (plist), "name", "value" and name", value="value" (attributes).
  {
    sign: /(?:\s[^<>\n]{0,100})?>\s{0,40}(?:<!\[CDATA\[)?/y,
    tie: 'tight',
    when: (text, { start }) => text[start - 1] === '<' || text[start - 1] === ':',
  },
  { sign: /<\/(?:key|name)>\s{0,80}<(?:string|value)>/y, tie: 'tight' },
  {
    sign: /\\{0,7}["']?\s{0,8},\s{0,40}\\{0,7}["']?(?:[vV]alue|val|content|secret|default)\\{0,7}["']?\s{0,4}[:=]\s{0,4}/y,
    tie: 'tight',
  },
  { sign: /\\{0,7}["']\s{1,20}(?:[vV]alue|content)\s?=\s?/y, tie: 'tight' },
  { sign: /["']?\r?\n[ \t]{1,40}value:[ \t]{1,8}/y, tie: 'tight' },
  {
    sign: /["'],\s{0,8}/y,
    tie: 'tight',
    when: (text, { start, end }) =>
      /["']/.test(text[start - 1] ?? '') && /^["'],\s{0,8}["']/.test(text.slice(end, end + 12)),
  },
  // --name value, /name value, ENV NAME value, setenv NAME value, machine h login u password value
  { sign: /["']?(?:,\s{0,4}|[ \t]{1,8}(?:\\\r?\n[ \t]{0,40})?)/y, tie: 'tight', when: option },
  { sign: /\s{1,40}/y, tie: 'tight', when: beside },
  // IDENTIFIED BY 'x', PASSWORD 'x'
  { sign: /\s{1,4}(?=['"])/y, tie: 'tight' },
  // the name is x, name (x), name for y is x, name to x; and in other languages
  {
    sign: /(?:\s{1,4}(?:for|of|to|on|für|von|pour|de|para|per)\s[^\n"'`:=]{1,60}?)?\s{1,4}(?:is|was|ist|war|lautet|est|es|é|è|ist jetzt|is now|was set to|is set to|set to|reset to|changed to|equals|will be|as|to|with)(?:\s(?:now|still|just|currently|set to|simply))?\s{0,2}:?\s{1,4}/iy,
    tie: 'loose',
  },
  { sign: /\s{0,2}(?:は|是|为|：)\s{0,2}/y, tie: 'loose' },
  { sign: /\s{1,4}\(\s{0,2}/y, tie: 'loose' },
  { sign: /[ \t]{1,4}/y, tie: 'loose' },
];

/** Values of assignments whose name says secret. */
export function assigned(text: string): Span[] {
  const spans: Span[] = [];
  let behind = 0;
  for (const named of namesIn(text)) {
    if (named.start < behind) continue; // within a secret
    if (text.slice(Math.max(0, named.start - 2), named.start) === '${') continue; // a variable, not its value
    const found = secretBeside(text, named);
    if (!found) continue;
    spans.push({ ...found, kind: kindOf(named.name) });
    behind = found.end;
  }
  return spans;
}

/** Signs of a value that are looked at to judge it. */
const JUDGED = 600;

/** The first link that fits and leads to a secret. */
function secretBeside(text: string, named: Named): Value | null {
  for (const { sign, tie, when } of LINKS) {
    sign.lastIndex = named.end;
    const link = sign.exec(text);
    if (!link || (when && !when(text, named))) continue;
    const at = named.end + link[0].length;
    if (closesQuote(text, at, named.start)) continue;
    const setting =
      when === option || /value:\s*$/.test(link[0]) || (link[0].includes('=') && startsLine(text, named.start));
    const value = scheme(text, readValue(text, at, setting));
    if (!value) continue;
    const after = text[value.end] ?? '';
    if (!value.quoted && /[([]/.test(after) && !looksRandom(text.slice(value.start, value.end), 8)) continue; // a call or a member
    if (/>\s{0,40}(?:<!\[CDATA\[)?$/.test(link[0]) && text[named.start - 1] === '<' && !/[<\]]/.test(after)) continue; // no element
    const said = text.slice(value.start, Math.min(value.end, value.start + JUDGED));
    const strong = tie === 'loose' && value.quoted && !/[\s.:]/.test(said) ? 'tight' : tie;
    const upper = link[0] === '=' && named.strength === 'password' && /^[A-Z0-9_]+$/.test(named.name); // PASSWORD=hunter
    if (isSecret(said.replace(/[.,:;!?)]{1,4}$/, ''), named.strength, strong, value.quoted)) return value;
    if (upper && said.length >= 4 && !/^[$<{%]/.test(said) && !isSecretWord(said)) return value;
  }
  return null;
}

const isSecretWord = (value: string): boolean =>
  /^(?:true|false|null|none|undefined|required|changeme|string|yes|no|on|off)$|^(?:env|file|secret):/i.test(value);

/** Authorization: Bearer x: the value is behind the scheme. */
function scheme(text: string, value: Value | null): Value | null {
  if (!value) return null;
  const said = /^(?:bearer|basic|token|apikey|key|digest|negotiate)\s+/i.exec(
    text.slice(value.start, value.end + 12),
  )?.[0];
  if (said === undefined) return value;
  return value.quoted
    ? { ...value, start: value.start + said.length }
    : readValue(text, value.start + said.length, false);
}

/** Whether a name is the first of its line, but for the commands that set variables. */
function startsLine(text: string, start: number): boolean {
  return /(?:^|[\n\r])[ \t]{0,8}(?:(?:export|set|local|declare -x|readonly|ENV|ARG|Environment=["']?|\$env:|\$|-\s["']?|-e\s["']?)[ \t]{0,4})?$/.test(
    text.slice(Math.max(0, start - 40), start),
  );
}

function kindOf(name: string): string {
  return /pass|pwd/i.test(name) ? 'password' : /token/i.test(name) ? 'token' : /key/i.test(name) ? 'key' : 'secret';
}
