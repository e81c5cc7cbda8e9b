// Secrets recognized by their context: in an address, a header, a block of a key file, an assignment.
import type { Pattern } from './token-formats.ts';

/** A kind known by its place. Only a text with one of the `hints`, in lower case, is searched for it. */
export interface Place extends Pattern {
  readonly hints: readonly string[];
}

/** A value's end: what can stand in a secret without quotes. */
const BARE = '[^\\s"\'`,;)<>\\]}]';

const ADDRESSES: readonly Place[] = [
  {
    kind: 'slack-webhook-url',
    hints: ['hooks.slack'],
    find: /hooks\.slack(?:-gov)?\.com\/(?<s>(?:services|workflows|triggers)\/[A-Za-z0-9+/_-]{16,200})/g,
  },
  {
    kind: 'discord-webhook',
    hints: ['/webhooks/'],
    find: /discord(?:app)?\.com\/api\/(?:v\d{1,3}\/)?webhooks\/(?<s>\d{10,25}\/[\w-]{20,100})/g,
  },
  {
    kind: 'microsoft-teams-webhook',
    hints: ['webhook'],
    find: /(?:webhook\.office\.com|outlook\.office(?:365)?\.com)\/(?<s>webhook(?:b2)?\/[A-Za-z0-9@/_-]{36,300})/g,
  },
  {
    kind: 'telegram-bot-api-token',
    hints: ['api.telegram.org'],
    find: /api\.telegram\.org\/(?:file\/)?bot(?<s>\d{6,12}:[\w-]{30,60})/g,
  },
  {
    kind: 'zapier-webhook',
    hints: ['hooks.zapier'],
    find: /hooks\.zapier\.com\/hooks\/(?:catch|standard)\/(?<s>[\w/-]{8,100})/g,
  },
  {
    kind: 'ifttt-key',
    hints: ['maker.ifttt'],
    find: /maker\.ifttt\.com\/trigger\/[^/\s]{1,80}\/(?:json\/)?with\/key\/(?<s>[\w-]{10,80})/g,
  },
  {
    kind: 'webhook-url',
    hints: ['hook', 'opsgenie', 'pagerduty', 'pushcut', 'hc-ping', 'cronitor', 'pipedream', 'maker.ifttt'],
    find: /(?:hook\.[a-z0-9]{2,5}\.make\.com|hook\.integromat\.com|api\.opsgenie\.com\/v1\/json|mattermost\.[\w.-]{2,60}\/hooks|chat\.[\w.-]{2,60}\/hooks|events\.pagerduty\.com\/integration|api\.pushcut\.io|hc-ping\.com|cronitor\.link\/p|pipedream\.net|maker\.ifttt\.com\/use)\/(?<s>[\w/-]{16,120})/g,
  },
  {
    kind: 'infura-key',
    hints: ['infura.io', 'alchemy.com', 'quiknode', 'ankr.com'],
    find: /(?:infura\.io\/(?:ws\/)?v3|alchemy\.com\/v2|quiknode\.pro|ankr\.com\/\w{2,20})\/(?<s>[\w-]{20,80})/g,
  },
  { kind: 'sentry-dsn', hints: ['://'], find: /https?:\/\/(?<s>[0-9a-f]{32}(?::[0-9a-f]{32})?)@[\w.-]{1,100}\/\d/g },
  // scheme://user:password@host, every scheme; a password may hold most signs, also an unescaped slash or @.
  {
    kind: 'basicauth',
    hints: ['://'],
    find: /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,15}:\/\/[^\s:/?#@"'`<>[\]\\]{0,60}:(?<s>(?!\d{1,5}(?:[/?#\s]|$)|\$\{|\{\{|<|%\()(?:[^\s"'`<>\\:]|:(?!\/\/)){1,120})@(?=[A-Za-z0-9[(])/gi,
  },
  { kind: 'basicauth', hints: ['://'], find: /\bhttps?:\/\/(?<s>[A-Za-z0-9_-]{20,200})@[\w-]{1,60}\./g },
  // name/password@host of Oracle, user:password@tcp(host) of Go.
  {
    kind: 'database-connection-string',
    hints: ['jdbc:oracle'],
    find: /\bjdbc:oracle:\w{1,10}:[\w$#]{1,60}\/(?<s>[^\s@"']{3,100})@/g,
  },
  {
    kind: 'database-connection-string',
    hints: ['@tcp(', '@unix('],
    find: /(?<![\w:/@.-])[\w.-]{1,60}:(?<s>[^\s:@"'`/]{3,100})@(?:tcp|unix)\(/g,
  },
  {
    kind: 'url-parameter',
    hints: ['=', '%3d'],
    find: /(?:[?&;]|\\u0026|&amp;|%26|%3F)(?:[a-z]{1,20}[_-]){0,3}(?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature|access_?token|api_?token|auth_?token|id_?token|refresh_?token|api_?key|apikey|auth|token|secret|client_secret|password|passwd|pwd|pass|private_token|sv_?sig|hmac|jwt|assertion|code_verifier|ticket|credential_?key|subscription-key|appid|licen[cs]e_?key|key|otp|session_?key|st|sas|hdnts|hdnea|policy|awsaccesskeyid)(?:=|%3D)(?<s>(?!\$|\{|<|%7B|%24)[^\s&#"'`<>\\;]{6,4096})/gi,
  },
  {
    kind: 'otp-secret',
    hints: ['otpauth:'],
    find: /otpauth:\/\/[^\s"'<>?]{1,80}\?(?:[^\s"'<>&]{1,60}&){0,6}secret=(?<s>[A-Za-z2-7]{8,128})/g,
  },
];

const HEADERS: readonly Place[] = [
  {
    kind: 'curl-auth-header',
    hints: ['authorization'],
    find: /\b(?:proxy-)?authorization\\{0,7}["']?\s{0,3}(?:[:=]|,|=>)\s{0,3}\\{0,7}["'`]?(?:(?:bearer|basic|token|digest|apikey|api-key|key|negotiate|ntlm|oauth|splunk|genie ?key|bot|ssws|aws4-hmac-sha256|sharedkey|sharedaccesssignature|hawk|dpop|private-token|klaviyo-api-key|discogs|snyk|deepl-auth-key|sso-key)[ :=]{1,3}(?<s>(?!\$|<|\{|%[sv])[^\s"'`,;)<>\]}\\]{6,4096}(?:,\s?\w{1,40}=["']?[^\s"'`,;<>\]}\\]{1,1000}["']?){0,12})|(?<bare>(?=[^\s"'`,;)<>\]}\\]{0,200}\d)[^\s"'`,;)<>\]}\\$]{10,4096}))/gi,
  },
  // Without the header's name a value has to look like one: a digit in it, or long.
  {
    kind: 'bearer-token',
    hints: ['bearer'],
    find: /\bbearer\s{1,3}(?<s>(?=[\w.~+/=-]{0,200}\d|[\w.~+/=-]{32})[\w.~+/=-]{12,4096})/gi,
  },
  {
    kind: 'basic-credentials',
    hints: ['basic'],
    find: /\bBasic\s(?<s>(?=[A-Za-z0-9+/]{0,60}[A-Z0-9+/])[A-Za-z0-9+/]{12,500}={1,2}|(?=[A-Za-z0-9+/]{0,60}\d)(?=[A-Za-z0-9+/]{0,60}[A-Z])(?=[A-Za-z0-9+/]{0,60}[a-z])[A-Za-z0-9+/]{12,500}(?![\w-]))/g,
  },
  {
    kind: 'api-key-header',
    hints: ['x-', '-key', '-token', '-secret', 'apikey', 'api_key'],
    find: new RegExp(
      `(?<![A-Za-z0-9-])(?:x-[a-z0-9-]{0,40}(?:key|token|secret|auth|signature|session|password)|(?:[a-z]{1,20}-){1,3}(?:token|key|secret)|apikey|api_key)\\\\{0,7}["']?\\s{0,2}[:=]\\s{0,2}\\\\{0,7}["']?(?<s>(?!\\$|env:|file:)(?=[^\\s"'\`,;)<>\\]}\\\\]{0,200}\\d)${BARE}{8,4096})`,
      'gi',
    ),
  },
];

const BLOCKS: readonly Place[] = [
  // Up to the end line; a block cut short goes on to where it ends. Line breaks may be written as \n.
  {
    kind: 'private-key',
    hints: ['private key'],
    find: /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----[^-]{0,20000}(?:-(?!----)[^-]{0,2000}){0,20}(?:-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----)?/g,
  },
  {
    kind: 'private-key',
    hints: ['begin ssh2'],
    find: /---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----[^-]{0,20000}(?:---- END SSH2[^-]{0,40}----)?/g,
  },
  // "-----BEGIN ... PRIVATE KEY" in base64, as kubeconfig and variables carry it.
  {
    kind: 'private-key',
    hints: ['ls0tls1crudjti'],
    find: /LS0tLS1CRUdJTi(?!BDRVJUSUZJQ0FUR|BQVUJMSUM)[A-Za-z0-9+/]{16,20000}={0,2}/g,
  },
  {
    kind: 'private-key',
    hints: ['private-'],
    find: /\bPrivate-(?:Lines: \d{1,4}\s{1,4}|MAC: )(?<s>[A-Za-z0-9+/=][A-Za-z0-9+/=\s]{19,5000})/g,
  },
  {
    kind: 'private-key',
    hints: ['privatekey', 'presharedkey'],
    find: /\b(?:PrivateKey|PresharedKey)\s?[=:]\s?["']?(?<s>[A-Za-z0-9+/]{42,43}=)/g,
  },
  {
    kind: 'jwk-private-key',
    hints: ['"d', '"k', '"p', '"q'],
    find: /\\{0,7}"(?:d|k|p|q|dp|dq|qi)\\{0,7}"\s?:\s?\\{0,7}"(?<s>[\w-]{22,1400})\\{0,7}"/g,
  },
  {
    kind: 'azure-key',
    hints: ['key=', 'secretvalue=', 'signature='],
    find: /\b(?:AccountKey|SharedAccessKey|SharedSecretValue|SharedAccessSignature|AccessKey|EndpointKey|PrimaryKey|SecondaryKey)=(?<s>[A-Za-z0-9+/_%-]{16,200}={0,2})/gi,
  },
  {
    kind: 'database-connection-string',
    hints: ['password', 'pwd'],
    find: /(?:;|\b(?:server|host|data source|uid|user id|user|username|addr|address)=[^;\n"']{1,200};[^\n"']{0,300}?)\s?(?:password|pwd)\s?=\s?(?<s>[^\s;"'&\\]{2,200})/gi,
  },
  {
    kind: 'registry-credentials',
    hints: ['auth"', 'auth\\', 'token"', 'token\\'],
    find: /\\{0,7}"(?:auth|identitytoken|registrytoken)\\{0,7}"\s?:\s?\\{0,7}"(?<s>[A-Za-z0-9+/_.-]{8,4000}={0,2})\\{0,7}"/g,
  },
  {
    kind: 'npmrc-auth',
    hints: ['_auth', '_password'],
    find: /(?<![\w-])_(?:authToken|auth|password)\s?[=:]?\s?["']?(?<s>(?!\$)[^\s"'$\\]{8,2000})/g,
  },
  {
    kind: 'netrc',
    hints: ['login'],
    find: /\b(?:machine|default)\b(?:\s{1,20}\S{1,100})?\s{1,20}login\s{1,4}\S{1,100}\s{1,20}(?:account\s{1,4}\S{1,100}\s{1,20})?password\s{1,4}(?<s>\S{2,300})/g,
  },
  {
    kind: 'pgpass',
    hints: [':5432:', ':*:', ':6432:', ':5433:', ':5434:'],
    find: /(?:^|[\n"'`\s])(?:[\w.*-]{1,100}|\/[\w/.-]{1,80}):(?:\d{2,5}|\*):[\w*.-]{1,60}:[\w*.-]{1,60}:(?<s>[^\s:"'`][^\s"'`]{2,200})/g,
  },
  {
    kind: 'shadow',
    hints: ['$', '::'],
    find: /(?<=^|\n)[\w.-]{1,32}:(?<s>\$[\w-]{1,20}\$[^\s:]{8,200}|[./A-Za-z0-9]{13}):/g,
  },
  {
    kind: 'kubernetes-secret',
    hints: ['kind:'],
    find: /\bkind:\s?["']?Secret\b[\s\S]{0,250}?\n(?:string)?[dD]ata:(?<s>(?:\s{0,20}\n[ \t]{1,8}[\w.-]{1,80}:[^\n]{0,4000}){1,40})/g,
  },
  {
    kind: 'wifi-password',
    hints: ['psk=', 'keymaterial', 'wifi:', 'passphrase'],
    find: /(?:\bpsk=|<keyMaterial>|WIFI:[^\n"']{0,100}?\bP:|\bwpa[-_]passphrase[= ])(?<s>["']?[^\s"'<;]{8,64})/g,
  },
  { kind: 'laravel-key', hints: ['app_key'], find: /\bAPP_KEY\s?[=:]\s?["']?(?<s>base64:[A-Za-z0-9+/]{30,60}={0,2})/g },
  {
    kind: 'ansible-vault',
    hints: ['ansible_vault'],
    find: /\$ANSIBLE_VAULT;[\d.]{1,6};AES256(?:;\w{1,40})?\s{1,8}(?<s>[0-9a-f\s]{40,20000})/g,
  },
  {
    kind: 'sql-password',
    hints: ['identified', 'password'],
    find: /\b(?:identified\s{1,4}(?:with\s{1,4}\S{1,40}\s{1,4})?by|(?:with\s{1,4}|encrypted\s{1,4})?password(?:\s?=)?)\s{1,4}\\{0,7}['"](?<s>(?!\$|\{|%|<)[^'"\n\\]{3,200})\\{0,7}['"]/gi,
  },
  {
    kind: 'ethereum-private-key',
    hints: ['0x'],
    find: /(?:priv(?:ate)?|secret|wallet|signer|deployer|mnemonic)[\w\s-]{0,20}["'\s:=]{1,6}(?<s>0x[0-9a-fA-F]{64})\b/gi,
  },
  // A key's id and the key beside it.
  {
    kind: 'aws-secret-key',
    hints: ['akia', 'asia', 'a3t'],
    find: /\b(?:A3T[A-Z0-9]|AKIA|ASIA)[A-Z0-9]{16}\b[\s:,;|"'`=]{1,12}(?:(?:and|und|secret|with)\s{1,4}){0,2}(?<s>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/g,
  },
  {
    kind: 'twilio-auth-token',
    hints: ['ac', 'sk'],
    find: /\b(?:AC|SK)[0-9a-f]{32}\b[\s:,;|"'`=]{1,12}(?:(?:and|secret|with|token)\s{1,4}){0,2}(?<s>[0-9a-zA-Z]{32})\b/g,
  },
];

/** All kinds known by their place, but assignments, command lines, cookies and accounts. */
export const CONTEXTUAL_PATTERNS: readonly Place[] = [...ADDRESSES, ...HEADERS, ...BLOCKS];
