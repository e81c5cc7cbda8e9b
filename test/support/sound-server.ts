// A sound server of its own, whose only device throws sounds away and lets them be recorded: 22,050 samples a second on one channel, as they were played.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { until } from './wait.ts';

export const RATE = 22_050;

export interface SoundServer {
  /** By which programs find it. */
  readonly env: Readonly<Record<string, string>>;
  /** All that was played so far, silence included. */
  readonly heard: () => Int16Array;
}

/** Programs and packages for `needs`. */
export const SOUND_PROGRAMS = [['pulseaudio', 'parec', 'paplay'], 'pulseaudio pulseaudio-utils'] as const;

/** Ended when the running test has finished. */
export async function startSoundServer(): Promise<SoundServer> {
  const folder = mkdtempSync(join(tmpdir(), 'belfry-sound-'));
  const [socket, record] = [join(folder, 'native'), join(folder, 'heard')];
  const base = { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_RUNTIME_DIR: folder, LC_ALL: 'C.UTF-8' };
  const owned: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of owned.reverse()) await end(child);
    rmSync(folder, { recursive: true, force: true });
  });
  const modules = [
    `module-null-sink sink_name=nowhere rate=${RATE} channels=1 format=s16le`,
    `module-native-protocol-unix auth-anonymous=1 socket=${socket}`,
  ];
  const options = ['-n', '--daemonize=no', '--exit-idle-time=-1', '--use-pid-file=no', '--disable-shm=yes'];
  owned.push(
    spawn('pulseaudio', [...options, ...modules.flatMap((one) => ['-L', one])], { env: base, stdio: 'ignore' }),
  );
  await until(() => existsSync(socket), 'the sound server');
  const env = { ...base, PULSE_SERVER: `unix:${socket}` };
  const form = ['--raw', '--format=s16le', `--rate=${RATE}`, '--channels=1', '--latency-msec=20'];
  const shell = `exec parec ${form.join(' ')} -d nowhere.monitor >'${record}'`;
  owned.push(spawn('sh', ['-c', shell], { env, stdio: 'ignore' }));
  await until(() => existsSync(record) && statSync(record).size > 0, 'the recording', 30_000);
  return {
    env: { PULSE_SERVER: env.PULSE_SERVER, XDG_RUNTIME_DIR: folder },
    heard: () => {
      const bytes = readFileSync(record);
      return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length - (bytes.length % 2)));
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

/** One sound in a recording: what is between silences. */
export interface Heard {
  /** Seconds. */
  readonly begin: number;
  readonly end: number;
  /** 0 to 1. */
  readonly loudest: number;
  readonly samples: Int16Array;
}

/** So quiet is silence, of 32,767. */
const QUIET = 200;

/** The sounds in it; silence of `gap` seconds is between two. */
export function soundsIn(samples: Int16Array, gap = 0.1): Heard[] {
  const found: Heard[] = [];
  let [begin, last] = [-1, -1];
  const finish = (): void => {
    if (begin < 0) return;
    const part = samples.slice(begin, last + 1);
    const loudest = part.reduce((most, level) => Math.max(most, Math.abs(level)), 0) / 32_767;
    found.push({ begin: begin / RATE, end: last / RATE, loudest, samples: part });
    begin = -1;
  };
  for (let i = 0; i < samples.length; i++) {
    if (Math.abs(samples[i] ?? 0) > QUIET) {
      if (begin < 0) begin = i;
      last = i;
    } else if (begin >= 0 && i - last > gap * RATE) finish();
  }
  finish();
  return found;
}

/** How strong a frequency (Hz) is in a part of a sound, from second `from` on, for 0.1 s: Goertzel's algorithm. */
export function strengthOf({ samples }: Heard, hz: number, from: number): number {
  const start = Math.round(from * RATE);
  const part = samples.slice(start, start + RATE / 10);
  const factor = 2 * Math.cos((2 * Math.PI * hz) / RATE);
  let [before, beforeThat] = [0, 0];
  for (const sample of part) [before, beforeThat] = [sample + factor * before - beforeThat, before];
  return Math.sqrt(before ** 2 + beforeThat ** 2 - factor * before * beforeThat) / Math.max(1, part.length);
}
