// A PostgreSQL of its own for the tests of a file: in a temporary folder, on its own socket and port, ended with them, also where their process
// is killed. Debian's server does not put its programs on the path, and does not run as root.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { connect } from '../../src/store/postgres/connection.ts';
import { makePartitions, migrate } from '../../src/store/postgres/migrate.ts';
import { freePort } from './free-port.ts';
import { NOON } from './made.ts';
import { removeFolder } from './remove-folder.ts';
import { until } from './wait.ts';

/** Ends the program once whoever started it lets go of its input, or is gone. */
const WHILE_HELD =
  'signal=$1; shift; "$@" & child=$!; { cat >/dev/null; kill -s "$signal" "$child"; } <&3 & wait "$child"; kill $! 2>/dev/null';

const TEMPLATE = 'belfry_template';
const SHARED = 'belfry';

/** Where Debian has the server's programs, the newest first. */
function serverPrograms(): string {
  const root = '/usr/lib/postgresql';
  const [newest] = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return join(root, newest ?? '', 'bin');
}

/** Whom the servers run as: root must not. */
function runAs(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (option: string): number => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** A program that is ended with this process. */
interface Held {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  end(): Promise<void>;
}

function hold(signal: 'INT' | 'TERM', program: string, options: readonly string[], log: string[]): Held {
  const child = spawn('sh', ['-c', `exec 3<&0; ${WHILE_HELD}`, 'sh', signal, program, ...options], {
    ...runAs(),
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => log.push(String(chunk)));
  const ended = new Promise((resolve) => child.once('close', resolve));
  return {
    child,
    ended,
    end: async () => {
      child.stdin?.end();
      await ended;
    },
  };
}

/** A server that is up between the first test of a file and its last. */
export interface Postgres {
  /** Of a database there. */
  url(database: string): string;
  readonly port: () => number;
  /** The name of a database with the hub's schema, of all tests of the file. */
  readonly shared: string;
  /** A database with the hub's schema and nothing in it, gone after the test. `empty`: without the schema. */
  database(of?: 'schema' | 'empty'): Promise<string>;
  /** Ends the server as a power failure would, and starts it again; what is unlogged is empty then. */
  crash(): Promise<void>;
  /** Through pgbouncer in transaction mode, begun when it is first asked for. */
  bouncedUrl(database: string): string;
  /** A program of the server's, such as pg_dump, on this server. */
  run(program: string, ...options: readonly string[]): string;
}

/** `bouncer`: with a pgbouncer in front of it, too. */
export function usePostgres({ bouncer = false }: { readonly bouncer?: boolean } = {}): Postgres {
  let folder = '';
  let port = 0;
  let bouncerPort = 0;
  let server: Held | null = null;
  let made = 0;
  const held: Held[] = [];
  const log: string[] = [];
  const url = (database: string, at = port): string => `postgres://belfry@127.0.0.1:${at}/${database}`;

  const admin = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client(url('postgres'));
    client.on('error', () => undefined); // whoever waits hears of it
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const isUp = (at: string): Promise<boolean> =>
    new Promise((resolve) => {
      const client = new pg.Client(at);
      client.on('error', () => undefined); // the callback says it
      client.connect((error?: Error) => {
        void client.end().catch(() => undefined);
        resolve(!error);
      });
    });
  const start = async (): Promise<void> => {
    server = hold('INT', join(serverPrograms(), 'postgres'), ['-D', join(folder, 'data')], log);
    const { child } = server;
    await until(() => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended: ${log.join('').slice(-2_000)}`);
      return isUp(url('postgres'));
    }, 'PostgreSQL to listen');
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'belfry-postgres-'));
    const as = runAs();
    if (as.uid !== undefined && as.gid !== undefined) chownSync(folder, as.uid, as.gid);
    const data = join(folder, 'data');
    const init = [
      '-D',
      data,
      '-U',
      'belfry',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
      '--no-instructions',
    ];
    execFileSync(join(serverPrograms(), 'initdb'), init, { ...as, cwd: '/', stdio: 'pipe' });
    port = await freePort();
    const settings = {
      listen_addresses: `'127.0.0.1'`,
      port,
      unix_socket_directories: `'${folder}'`,
      max_connections: 100,
      shared_buffers: `'32MB'`,
      // A file that is written stays written where only the server's processes end.
      fsync: 'off',
      full_page_writes: 'off',
      // Tables as they are before anybody has counted their rows; and no transaction of its own holds up the feed.
      autovacuum: 'off',
      log_min_messages: 'fatal',
    };
    writeFileSync(
      join(data, 'postgresql.auto.conf'),
      Object.entries(settings)
        .map(([name, value]) => `${name} = ${value}\n`)
        .join(''),
    );
    await start();
    await admin((client) => client.query(`CREATE DATABASE ${TEMPLATE}`));
    const db = connect({ url: url(TEMPLATE) });
    await migrate(db);
    await makePartitions(db, NOON);
    await db.close();
    await admin((client) => client.query(`CREATE DATABASE ${SHARED} TEMPLATE ${TEMPLATE}`));
    if (!bouncer) return;
    bouncerPort = await freePort();
    const file = join(folder, 'pgbouncer.ini');
    writeFileSync(
      file,
      `[databases]\n* = host=127.0.0.1 port=${port} user=belfry\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${bouncerPort}
unix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 8\nmax_client_conn = 500\nserver_round_robin = 1\n`,
    );
    held.push(hold('INT', '/usr/sbin/pgbouncer', [file], log));
    await until(() => isUp(url('postgres', bouncerPort)), 'pgbouncer to listen');
  });
  afterAll(async () => {
    for (const program of [...held, ...(server ? [server] : [])].reverse()) await program.end();
    await removeFolder(folder);
  });

  return {
    url: (database) => url(database),
    port: () => port,
    shared: SHARED,
    bouncedUrl: (database) => url(database, bouncerPort),
    database: async (of = 'schema') => {
      const name = `test_${++made}`;
      await admin((client) =>
        client.query(`CREATE DATABASE ${name} TEMPLATE ${of === 'schema' ? TEMPLATE : 'template0'}`),
      );
      onTestFinished(() => admin((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`)).then(() => undefined));
      return name;
    },
    crash: async () => {
      const pid = Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
      process.kill(pid, 'SIGQUIT');
      await server?.ended;
      await start();
    },
    run: (program, ...options) =>
      execFileSync(join(serverPrograms(), program), ['-h', folder, '-p', String(port), '-U', 'belfry', ...options], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
  };
}
