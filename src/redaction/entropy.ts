// Distinguishes random text from names, words, hashes and paths by how often letters, capitals and digits change.
import { matchesOf, type Span } from './spans.ts';

/** Changes of class per sign: names in camel case stay below a third, random base 62 is near 0.6. */
const CHANGES = 0.42;

/** Whether a value without spaces looks made by a random generator. `least`: shortest length. Hex is not enough: it may be a hash. */
export function looksRandom(value: string, least: number): boolean {
  if (value.length < least || !/^[\x21-\x7e]+$/.test(value)) return false;
  if (/^(?:0x)?[0-9a-f]+$/i.test(value)) return value.length >= 32; // next to a name that says secret only
  const letters = value.replace(/[^A-Za-z0-9]/g, '');
  if (letters.length < least - 3 || !/\d/.test(letters) || !/[A-Za-z]/.test(letters)) return false;
  if (/[/\\].*[/\\.]/.test(value) && value.split(/[/\\.]/).every((part) => part.length < 20)) return false; // a path
  return changes(letters) >= (/[a-z]/.test(letters) && /[A-Z]/.test(letters) ? CHANGES : 0.25);
}

/** Whether a value beside a name that says secret is no word: both cases, and a digit or capitals where no name has them. */
export function isScrambled(value: string): boolean {
  if (!/^[\w.~+/=-]{16,}$/.test(value) || !/[a-z]/i.test(value)) return false;
  const letters = value.replace(/[^A-Za-z0-9]/g, '');
  const digits = (letters.match(/\d/g) ?? []).length;
  if (!/[a-z]/.test(letters) || !/[A-Z]/.test(letters)) return digits >= 4 && letters.length >= 20 && value === letters;
  // Without digits: how long the words are that the capitals make.
  if (digits < 3) return letters.length / (letters.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []).length < 3.2;
  return changes(letters) >= 0.3;
}

function changes(text: string): number {
  let count = 0;
  for (let i = 1; i < text.length; i++) if (classOf(text.charCodeAt(i)) !== classOf(text.charCodeAt(i - 1))) count++;
  return count / (text.length - 1);
}

function classOf(code: number): number {
  return code <= 57 ? 0 : code <= 90 ? 1 : 2;
}

/** Candidates that stand alone. Two alphabets: letters and digits, and base64. */
const ALONE =
  /(?<![A-Za-z0-9+/_.%@#:~-])(?=[A-Za-z0-9+/_-]{32})(?:[A-Za-z0-9]{32,200}|[A-Za-z0-9+/]{40,200}={0,2}|[A-Za-z0-9_-]{36,200})(?![A-Za-z0-9+/=_@%~-])/g;
/** What names the following as public or as a picture: a digest, a public key, a data URL, an id of a message. */
const PUBLIC_BEFORE =
  /(?:sha\d{1,3}[-:=]|ssh-(?:rsa|dss|ed25519)\s|ecdsa-\S{1,30}\s|base64,|\b(?:commit|tree|blob|digest|integrity|checksum|hash|etag|id|uuid|fingerprint|nonce)["']?\s?[:=]?\s?["']?)$/i;

/** Random text without a name next to it. Hashes, UUIDs, paths, public keys and pictures in base64 are left alone. */
export function randomAlone(text: string): Span[] {
  const spans: Span[] = [];
  for (const m of matchesOf(text, ALONE)) {
    const value = m[0];
    if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || (value.match(/\d/g) ?? []).length < 3) continue;
    if (/^[0-9a-fA-F-]+$/.test(value) || changes(value.replace(/[^A-Za-z0-9]/g, '')) < CHANGES) continue;
    if (/[-_]/.test(value) && value.split(/[-_]/).some((part) => /^[a-z]{4,}$/i.test(part))) continue; // words in it
    if (value.startsWith('_Z')) continue; // a name as C++ and Rust mangle it
    if (PUBLIC_BEFORE.test(text.slice(Math.max(0, m.index - 40), m.index))) continue;
    if (isBlock(text, m.index, value.length)) continue;
    spans.push({ start: m.index, end: m.index + value.length, kind: 'secret' });
  }
  return spans;
}

/** A line of a longer block in base64: a certificate, a picture, an archive. */
function isBlock(text: string, start: number, length: number): boolean {
  if ((text[start - 1] ?? '\n') !== '\n') return false;
  const line = (from: string): boolean => /^[A-Za-z0-9+/=]{40,}\s{0,9}$/.test(from);
  const before =
    text
      .slice(Math.max(0, start - 200), start)
      .split('\n')
      .at(-2) ?? '';
  const after = text.slice(start + length, start + length + 200).split('\n')[1] ?? '';
  return line(before) || line(after) || /^-----(?:BEGIN|END)/.test(before);
}
