// Credentials on command lines, known by their command: curl -u name:password, mysql -ppassword, vault login token.
import { matchesOf, type Span } from './spans.ts';
import { isSecret, readValue } from './secret-values.ts';

/** What a word of a command line is: a secret as it stands, one only if the option has it attached, one behind the first colon of a pair, or one if it looks like one. */
type Role = 'secret' | 'attached' | 'pair' | 'likely';

/** Options of a family of commands with what follows them; `words`: what its words without an option are. */
interface Family {
  readonly kind: string;
  readonly commands: string;
  readonly options: Readonly<Record<string, Role>>;
  readonly words?: Role;
}

const FAMILIES: readonly Family[] = [
  {
    kind: 'curl-auth-user',
    commands: 'curl wget http https xh aria2c ab siege wrk hey lftp svn restish',
    options: {
      '-u': 'pair',
      '--user': 'pair',
      '-U': 'pair',
      '--proxy-user': 'pair',
      '-a': 'pair',
      '--auth': 'pair',
      '-A': 'pair',
      '--http-user': 'pair',
    },
  },
  {
    kind: 'registry-login',
    commands: 'docker podman buildah skopeo crane helm oras nerdctl regctl kubectl',
    options: {
      '-p': 'likely',
      '--creds': 'pair',
      '--src-creds': 'pair',
      '--dest-creds': 'pair',
      '--docker-password': 'secret',
    },
  },
  {
    kind: 'database-login',
    commands: 'mysql mysqldump mysqladmin mariadb mariadb-dump mysqlimport mysqlsh mysqlpump mycli mysqlcheck',
    options: { '-p': 'attached' },
  },
  {
    kind: 'database-login',
    commands:
      'mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh influx clickhouse-client clickhouse snowsql vsql redis-cli valkey-cli keydb-cli cypher-shell sqlcmd bcp osql tsql isql psql arangosh neo4j-admin',
    options: {
      '-p': 'secret',
      '-a': 'likely',
      '--pass': 'secret',
      '-password': 'secret',
      '-w': 'likely',
      '-P': 'likely',
    },
  },
  {
    kind: 'ldap-login',
    commands: 'ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd ldapcompare',
    options: { '-w': 'secret', '-s': 'likely', '-a': 'likely' },
  },
  { kind: 'ssh-login', commands: 'sshpass', options: { '-p': 'secret' } },
  {
    kind: 'file-password',
    commands: 'zip unzip 7z 7za 7zz rar unrar qpdf gpg gpg2 openssl keytool ssh-keygen jarsigner signtool zipcloak',
    options: {
      '-P': 'likely',
      '-p': 'likely',
      '-N': 'likely',
      '-k': 'likely',
      '-storepass': 'secret',
      '-keypass': 'secret',
      '-pass': 'likely',
      '-passin': 'likely',
      '-passout': 'likely',
      '-K': 'likely',
      '/p': 'likely',
    },
  },
  {
    kind: 'login',
    commands:
      'twine vsce ovsx nuget dotnet az oc bw smbclient smbmap crackmapexec nxc rpcclient evil-winrm xfreerdp xfreerdp3 rdesktop ftp ncftp swaks vncviewer rabbitmqadmin snyk codecov doctl sentry-cli flyctl fly gh glab heroku vercel netlify wrangler railway npm yarn pnpm ansible sqlplus ngrok cloudflared',
    options: {
      '-p': 'likely',
      '-P': 'likely',
      '-k': 'likely',
      '-t': 'likely',
      '-w': 'likely',
      '-ap': 'likely',
      '/p': 'likely',
      '-u': 'pair',
      '-U': 'pair',
      '-ApiKey': 'secret',
      '-H': 'likely',
    },
  },
];

/** Commands whose plain words may be secrets, by the words that call them. */
const CALLS =
  /\b(?:vault login|cargo login|snyk auth|ngrok (?:authtoken|config add-authtoken)|(?:npm|yarn|pnpm) config set|aws configure set|doctl auth init|bw (?:unlock|login)|rabbitmqctl (?:add_user|change_password|authenticate_user)|net (?:user|use)|htpasswd|config:set|secrets? set|add-authtoken|login|auth add|chpasswd|set-password|AUTH(?: PLAIN| LOGIN)?|PASS|IDENTIFY|ConvertTo-SecureString|dsn set)\b[ \t]{1,4}/g;
/** echo x | docker login --password-stdin, and other commands that read a secret from their input. */
const PIPED =
  /\b(?:echo|printf)[ \t]{1,4}(?:-[a-zA-Z]{1,3}[ \t]{1,4})?(?:['"]%s(?:\\n)?['"][ \t]{1,4})?(?=[^\n|]{3,100}\|[ \t]{0,4}(?:sudo[ \t]{1,4}-S|[^\n|]{0,80}(?:--password-stdin|--with-token|--stdin|stdin\b|passwd|login|openssl|gpg|secret|--data-file=-)))/g;
/** docker login --password-stdin <<< x */
const HERE = /<<<[ \t]{0,4}/g;

const BY_COMMAND: ReadonlyMap<string, Family> = new Map(
  FAMILIES.flatMap((family) => family.commands.split(' ').map((name) => [name, family] as const)),
);
/** A text without any of their options is not looked at word by word. */
const OPTION =
  /[\s"'](?:-(?:[aAHkKNpPstuUw]|ap\b|pass|storepass|keypass|ApiKey)|--(?:user|proxy-user|auth|http-user|creds|src-creds|dest-creds|docker-password|pass)[= ]|\/p[: ])/;
const WORD = /[^\s"'`|;&<>()\\]+/g;
const BREAK = /[|;&]|(?<!\\)\r?\n/;

/** Secrets among the words of commands. */
export function commanded(text: string): Span[] {
  const spans: Span[] = [];
  const add = (at: number, role: Role, kind: string): void => {
    const span = secretAt(text, at, role, kind);
    if (span) spans.push(span);
  };
  for (const call of matchesOf(text, CALLS)) {
    let at = call.index + call[0].length;
    for (let word = 0; word < 5; word++) {
      const value = readValue(text, at, true);
      if (!value) break;
      add(at, 'likely', 'login');
      at = skip(text, value.end + Number(value.quoted));
      if (/[\n|;&]/.test(text.slice(value.end, at))) break;
    }
  }
  for (const find of [PIPED, HERE])
    for (const m of matchesOf(text, find)) add(m.index + m[0].length, 'likely', 'login');

  if (!OPTION.test(text)) return spans;
  let family: Family | undefined;
  let end = 0;
  for (const word of matchesOf(text, WORD)) {
    if (family && BREAK.test(text.slice(end, word.index))) family = undefined;
    end = word.index + word[0].length;
    family = BY_COMMAND.get(word[0].slice(word[0].lastIndexOf('/') + 1).replace(/\.exe$/, '')) ?? family;
    if (!family) continue;
    const option = optionOf(word[0], family);
    if (!option) continue;
    const [name, role] = option;
    // -ppassword, --creds=x, -p password, /p:password
    const attached = word[0].length > name.length || /["'\\]/.test(text[end] ?? '');
    if (role === 'attached' && !attached) continue;
    const at = attached ? word.index + name.length + Number(/[=:]/.test(word[0][name.length] ?? '')) : skip(text, end);
    if (attached || !text.slice(end, at).includes('\n')) add(at, role, family.kind);
  }
  return spans;
}

/** The option a word is, or begins with where short options take their value attached. */
function optionOf(word: string, { options }: Family): readonly [string, Role] | undefined {
  if (!/^[-/p]/.test(word)) return undefined;
  const exact = options[word];
  if (exact) return [word, exact];
  return Object.entries(options).find(
    ([name]) => word.startsWith(name) && (/^-[a-zA-Z]$/.test(name) || /[=:]/.test(word[name.length] ?? '')),
  );
}

function skip(text: string, from: number): number {
  let at = from;
  while (at < text.length && at - from < 40 && /[\s\\]/.test(text[at] ?? '')) at++;
  return at;
}

function secretAt(text: string, at: number, role: Role, kind: string): Span | null {
  const value = readValue(text, at, true);
  if (!value) return null;
  const word = text.slice(value.start, value.end);
  const prefix = /^pass:/.exec(word)?.[0].length ?? 0; // as openssl writes it
  const colon = word.search(role === 'pair' ? /[:%,]/ : /:/);
  const pair =
    prefix === 0 &&
    (role === 'pair' || (colon > 0 && /^[\w.@-]{1,60}$/.test(word.slice(0, colon)) && !word.includes('/')));
  const start = value.start + (prefix || (pair && colon >= 0 ? colon + 1 : 0));
  const secret = text.slice(start, value.end);
  if (/^(?:[$<{%*@-]|env:|file:|x{3,}|\.{3})/i.test(secret) || /^\d{1,5}(?::\d{1,5})?$/.test(secret)) return null;
  if (role === 'likely' && /\.[a-z0-9]{1,4}$/i.test(secret)) return null; // a file
  const counts =
    role === 'likely' || (role === 'pair' && colon < 0)
      ? isSecret(secret, 'password', 'loose', false)
      : secret.length >= 3 && !/^[./~]/.test(secret);
  return counts ? { start, end: value.end, kind } : null;
}
