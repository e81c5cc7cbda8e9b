// A real broker, Debian's Mosquitto: with a password and a list of rights, in the clear and over TLS with an authority of its own. Everything is in a temporary folder.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/home.ts';
import { until } from '../support/wait.ts';

const PROGRAM = '/usr/sbin/mosquitto';
const SUBSCRIBE = '/usr/bin/mosquitto_sub';
const PASSWORDS = '/usr/bin/mosquitto_passwd';
const LINE_BY_LINE = '/usr/bin/stdbuf';
export const isInstalled = [PROGRAM, SUBSCRIBE, PASSWORDS].every((program) => existsSync(program));
export const SIGN_IN = { user: 'belfry', password: 'correct horse 77' };

/** A message as Mosquitto's own client shows it. */
export interface Heard {
  readonly topic: string;
  readonly qos: number;
  readonly retain: boolean;
  readonly payload: string;
}

/** `ca`: the file of its own authority. */
export async function startMosquitto() {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const [ca, key] = ['ca.pem', 'key.pem'].map((name) => join(folder, name)) as [string, string];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  execFileSync('openssl', [...request, ...names, '-keyout', key, '-out', ca], { stdio: 'ignore' });
  const passwords = join(folder, 'passwords');
  execFileSync(PASSWORDS, ['-b', '-c', passwords, SIGN_IN.user, SIGN_IN.password], { stdio: 'ignore' });
  for (const file of [key, passwords]) chmodSync(file, 0o644);
  const [port, tlsPort] = [await freePort(), await freePort()];
  const config = join(folder, 'mosquitto.conf');
  writeFileSync(
    config,
    [
      'per_listener_settings false',
      'allow_anonymous false',
      `password_file ${passwords}`,
      'persistence false',
      `listener ${port} 127.0.0.1`,
      `listener ${tlsPort} 127.0.0.1`,
      `certfile ${ca}`,
      `keyfile ${key}`,
      '',
    ].join('\n'),
  );
  let server = spawn(PROGRAM, ['-c', config], { stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => (server.exitCode === null ? server.once('exit', resolve) : resolve(null)));
    server.kill();
    await ended;
  };
  onTestFinished(stop);
  await until(() => answers(port), 'the broker to answer');
  return {
    port,
    tlsPort,
    ca,
    stop,
    /** After `stop`, with nothing kept. */
    start: async () => {
      server = spawn(PROGRAM, ['-c', config], { stdio: 'ignore' });
      await until(() => answers(port), 'the broker to answer again');
    },
    watch: () => watch(port),
  };
}

/** What Mosquitto's own client is told from now on, what is kept first. */
async function watch(port: number): Promise<readonly Heard[]> {
  const heard: Heard[] = [];
  const signIn = ['-u', SIGN_IN.user, '-P', SIGN_IN.password];
  const args = ['-h', '127.0.0.1', '-p', String(port), ...signIn, '-q', '1', '-t', '#', '-F', '%j', '-d'];
  // Line by line, or a pipe gets it late.
  const client = spawn(LINE_BY_LINE, ['-oL', SUBSCRIBE, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void client.kill());
  let text = '';
  let isSubscribed = false;
  client.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    isSubscribed ||= lines.some((line) => line.includes('SUBACK'));
    for (const line of lines.filter((one) => one.startsWith('{'))) heard.push(heardOf(line));
  });
  await until(() => isSubscribed, 'the client to listen');
  return heard;
}

function heardOf(line: string): Heard {
  const { topic, qos, retain, payload } = JSON.parse(line) as Heard;
  return { topic, qos, retain: Boolean(retain), payload };
}

/** Whether somebody listens there. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
