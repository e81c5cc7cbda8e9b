// Secrets known by where they stand: in an address, a header, a block of a key file, an assignment.
import type { Pattern } from './token-formats.ts';

/** A value's end: what can stand in a secret without quotes. */
const BARE = '[^\\s"\'`,;)<>\\]}]';

const ADDRESSES: readonly Pattern[] = [
  {
    kind: 'slack webhook',
    find: /hooks\.slack(?:-gov)?\.com\/(?<s>(?:services|workflows|triggers)\/[A-Za-z0-9+/_-]{16,})/g,
  },
  { kind: 'discord webhook', find: /discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/(?<s>\d{10,}\/[\w-]{20,})/g },
  {
    kind: 'teams webhook',
    find: /(?:webhook\.office\.com|outlook\.office(?:365)?\.com)\/(?<s>webhook(?:b2)?\/[A-Za-z0-9@/_-]{36,})/g,
  },
  { kind: 'telegram token', find: /api\.telegram\.org\/(?:file\/)?bot(?<s>\d{6,12}:[\w-]{30,})/g },
  { kind: 'zapier webhook', find: /hooks\.zapier\.com\/hooks\/catch\/(?<s>[\w/-]{8,})/g },
  { kind: 'ifttt key', find: /maker\.ifttt\.com\/trigger\/[^/\s]{1,80}\/(?:json\/)?with\/key\/(?<s>[\w-]{10,})/g },
  { kind: 'sentry dsn', find: /https?:\/\/(?<s>[0-9a-f]{32})(?::[0-9a-f]{32})?@[\w.-]{1,100}\/\d/g },
  // scheme://user:password@host, every scheme; a password may hold most signs, also an unescaped slash or @.
  {
    kind: 'password',
    find: /\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:/?#@"'`<>[\]]{0,200}:(?<s>(?!\d{1,5}(?:[/?#\s]|$)|\$\{|\{\{|<|%\()[^\s"'`<>]{1,200})@(?=[A-Za-z0-9[])/gi,
  },
  { kind: 'token', find: /\bhttps?:\/\/(?<s>[A-Za-z0-9_-]{20,200})@[\w-]{1,60}\./g },
  {
    kind: 'signature',
    find: /[?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature|access_token|api_?key|auth|token|secret|client_secret|password|key)=(?<s>[^\s&#"'`<>]{12,})/gi,
  },
];

const HEADERS: readonly Pattern[] = [
  {
    kind: 'authorization',
    find: new RegExp(
      `\\b(?:proxy-)?authorization["']?\\s{0,3}[:=]\\s{0,3}["']?(?:(?:bearer|basic|token|digest|apikey|key|negotiate|aws4-hmac-sha256)\\s{1,3}(?<s>(?!\\$|<|\\{)${BARE}{8,}(?:,\\s?\\w+=${BARE}+)*)|(?<bare>(?=${BARE}*\\d)${BARE}{12,}))`,
      'gi',
    ),
  },
  // Without the header's name a value has to look like one: a digit in it, or long.
  { kind: 'bearer token', find: /\bbearer\s{1,3}(?<s>(?=[\w.~+/=-]*\d|[\w.~+/=-]{32})[\w.~+/=-]{12,})/gi },
  { kind: 'basic credentials', find: /\bBasic\s(?<s>(?=[A-Za-z0-9+/]*[A-Z0-9+/])[A-Za-z0-9+/]{12,}={1,2})/g },
  {
    kind: 'cookie',
    find: /\b(?:set-)?cookie["']?\s?:\s?["']?[\w.-]{1,60}=(?<s>[^\s;"']{12,}(?:;\s?[\w.-]{1,60}=[^\s;"']{12,})*)/gi,
  },
  {
    kind: 'api key',
    find: new RegExp(
      `\\bx-[a-z-]{0,30}(?:key|token|secret|auth)["']?\\s{0,2}:\\s{0,2}["']?(?<s>(?!\\$)${BARE}{8,})`,
      'gi',
    ),
  },
];

const BLOCKS: readonly Pattern[] = [
  // Up to the end line; a block cut short goes on to where base64 ends. Line breaks may be written as \n.
  {
    kind: 'private key',
    find: /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[\s\S]){0,20000}(?:-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----)?/g,
  },
  { kind: 'private key', find: /\bPrivate-Lines: \d+\s+(?<s>[A-Za-z0-9+/=\s]{20,5000})/g },
  { kind: 'private key', find: /\bPrivateKey\s?=\s?(?<s>[A-Za-z0-9+/]{42,43}=)/g },
  { kind: 'azure key', find: /\b(?:AccountKey|SharedAccessKey|SharedSecretValue)=(?<s>[A-Za-z0-9+/]{20,}={0,2})/g },
  { kind: 'registry credentials', find: /"auth"\s?:\s?"(?<s>[A-Za-z0-9+/]{8,}={0,2})"/g },
  { kind: 'npm token', find: /(?<!\w)_(?:authToken|auth|password)\s?=\s?(?<s>(?!\$)[^\s"']{8,})/g },
  { kind: 'netrc password', find: /\bmachine\s\S{1,100}\s+login\s\S{1,100}\s+password\s(?<s>\S{3,})/g },
];

/** All kinds known by their place, but assignments. */
export const CONTEXTUAL_PATTERNS: readonly Pattern[] = [...ADDRESSES, ...HEADERS, ...BLOCKS];
