// A real mail server, Debian's Exim, with a mailbox: STARTTLS, sign-in, a greylisted address and one that does not exist. Everything is in a temporary folder.
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/home.ts';
import { until } from '../support/wait.ts';

const PROGRAM = '/usr/sbin/exim4';
export const isInstalled = existsSync(PROGRAM);
export const SIGN_IN = { user: 'dev', password: 'correct horse 77' };

/** `cert`: the file of its own authority. */
export async function startExim() {
  const folder = temporaryFolder();
  const asRoot = userInfo().uid === 0;
  const user = asRoot ? 'Debian-exim' : userInfo().username;
  const cert = join(folder, 'cert.pem');
  const key = join(folder, 'key.pem');
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  const request = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    '-addext',
    names,
  ];
  execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const port = await freePort();
  const config = join(folder, 'exim.conf');
  for (const name of ['spool', 'log', 'mail']) mkdirSync(join(folder, name));
  writeFileSync(config, configOf({ folder, port, user, cert, key }), { mode: 0o644 });
  if (asRoot) {
    const id = (of: string): number => Number(execFileSync('id', [of, user]).toString());
    for (const path of [folder, cert, key, ...['spool', 'log', 'mail'].map((name) => join(folder, name))])
      chownSync(path, id('-u'), id('-g'));
  }
  const server = spawn(PROGRAM, ['-C', config, '-bdf'], { stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  onTestFinished(async () => {
    server.kill();
    await ended;
  });
  await until(() => answers(port), 'the mail server to answer');
  const mailbox = join(folder, 'mail', 'inbox');
  return { port, cert, mailbox: () => (existsSync(mailbox) ? readFileSync(mailbox, 'utf8') : '') };
}

function configOf(of: { folder: string; port: number; user: string; cert: string; key: string }): string {
  return `exim_path = ${PROGRAM}
primary_hostname = mail.example.test
spool_directory = ${of.folder}/spool
log_file_path = ${of.folder}/log/%slog
pid_file_path = ${of.folder}/spool/exim.pid
daemon_smtp_ports = ${of.port}
local_interfaces = 127.0.0.1
disable_ipv6 = true
keep_environment =
never_users =
domainlist local_domains = example.test
tls_advertise_hosts = *
tls_certificate = ${of.cert}
tls_privatekey = ${of.key}
auth_advertise_hosts = \${if eq{$tls_in_cipher}{}{}{*}}
acl_smtp_mail = mail
acl_smtp_rcpt = rcpt
acl_smtp_data = data
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_condition = \${if and{{eq{$auth2}{${SIGN_IN.user}}}{eq{$auth3}{${SIGN_IN.password}}}}}
  server_set_id = $auth2
begin acl
mail:
  require encrypted = *
  require authenticated = *
  accept
rcpt:
  defer local_parts = grey
        message = Greylisted, try again later
  deny local_parts = nobody
       message = No such user
  accept domains = +local_domains
  deny message = relay not permitted
data:
  deny condition = \${if match{$message_body}{UNWANTED}}
       message = Message content rejected
  accept
begin routers
all:
  driver = accept
  transport = box
begin transports
box:
  driver = appendfile
  file = ${of.folder}/mail/inbox
  user = ${of.user}
begin retry
* * F,1h,1m
`;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => socket.end('QUIT\r\n'));
    socket.once('close', (failed) => resolve(!failed));
    socket.once('error', () => resolve(false));
  });
}
