// Takes the secrets that are known out of a text, in whatever form a receiver says them back.

const MASK = '[redacted]';
/** Shorter ones would take ordinary words out. */
const SHORTEST = 4;
/** A part of an address that is as long as this, or holds a digit and is not short, is taken for a secret of its own. */
const LONG_PART = 16;
const SHORT_PART = 8;

/** Takes these out of texts: encoded, in the parts of an address, and cut off at the text's end. */
export function createSecretMask(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.flatMap(formsOf))]
    .filter((form) => form.length >= SHORTEST)
    .sort((a, b) => b.length - a.length);
  if (forms.length === 0) return (text) => text;
  const known = new RegExp(forms.map(escaped).join('|'), 'gi');
  return (text) => maskEnd(text.replace(known, MASK), forms);
}

/** A receiver's answer is bounded: what it says last may be the beginning of a secret. */
function maskEnd(text: string, forms: readonly string[]): string {
  const lower = text.toLowerCase();
  let most = 0;
  for (const form of forms)
    for (let length = Math.min(form.length - 1, text.length); length >= 2 * SHORTEST && length > most; length--)
      if (lower.endsWith(form.slice(0, length).toLowerCase())) most = length;
  return most === 0 ? text : text.slice(0, -most) + MASK;
}

function formsOf(secret: string): string[] {
  const bare = secret.trim().replace(/^whsec_/, '');
  const url = URL.canParse(bare) && /^https?:/i.test(bare) ? new URL(bare) : null;
  return [secret, bare, ...(url === null ? [] : partsOf(url))].flatMap((form) => [form, ...encodingsOf(form)]);
}

/** The host is no secret: errors name it. */
function partsOf(url: URL): string[] {
  const parts = [...url.pathname.split('/'), ...url.searchParams.values()].filter(
    (part) => part.length >= LONG_PART || (part.length >= SHORT_PART && /\d/.test(part)),
  );
  return [url.href, `${url.pathname}${url.search}`, url.pathname, url.password, ...parts];
}

function encodingsOf(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  return [
    encodeURIComponent(bytes.toString('utf8')), // well-formed

    decoded(text),
    JSON.stringify(text).slice(1, -1),
    JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that encodes nothing
  }
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
