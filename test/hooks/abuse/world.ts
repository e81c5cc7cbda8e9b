// Daemons of all sorts for abuse cases: real sources in this process, or a socket that misbehaves.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { listenSocket } from '../../../src/sources/socket/socket.ts';
import { watchSpool } from '../../../src/sources/spool/spool.ts';
import { aliveFile } from '../../../src/runtime/daemon-file.ts';
import type { Envelope } from '../../../src/ipc/envelope.ts';
import type { Acknowledgement } from '../../../src/ipc/frames.ts';
import type { Paths } from '../../../src/runtime/paths.ts';
import { processEntry } from '../../../src/runtime/process-table.ts';
import type { DaemonState } from './case.ts';

/** What a daemon has got so far. */
export type Got = () => Promise<readonly Envelope[]>;

/** Starts the daemon of a case; it ends with the test. */
export async function startWorldDaemon(paths: Paths, state: DaemonState): Promise<Got | null> {
  if (state === 'down') return null;
  mkdirSync(paths.run, { recursive: true, mode: 0o700 });
  if (state !== 'up') {
    await misbehave(paths.socket, BEHAVIOUR[state]);
    return null;
  }
  const got = new Map<string, Envelope>();
  const accept = async (envelope: Envelope): Promise<Acknowledgement> => {
    got.set(envelope.id, envelope);
    return { ok: true, id: envelope.id };
  };
  const log = (): void => undefined;
  const listening = await listenSocket({ paths, accept, log, command: async () => undefined });
  if (listening.state !== 'listening') throw new Error(JSON.stringify(listening));
  const spool = watchSpool({
    folder: paths.spool,
    quarantine: paths.quarantine,
    accept,
    log,
    clock: systemClock,
    keyOf: () => null,
  });
  onTestFinished(async () => {
    await Promise.all([listening.close(), spool.close()]);
  });
  writeSignOfLife(paths);
  return async () => {
    await spool.idle();
    return [...got.values()];
  };
}

/** Makes this process look like the daemon to the shell hook. */
export function writeSignOfLife(paths: Paths): void {
  mkdirSync(paths.run, { recursive: true, mode: 0o700 });
  writeFileSync(aliveFile(paths), `${process.pid} ${processEntry(process.pid)?.name ?? ''}\n${paths.run}\n`);
}

type Misbehaviour = (socket: Socket) => void;

const BEHAVIOUR: Record<Exclude<DaemonState, 'up' | 'down'>, Misbehaviour> = {
  hung: (socket) => void socket.resume(),
  'hangs up': (socket) => void socket.destroy(),
  refuses: (socket) => void socket.resume().write('{"ok":false,"error":"no"}\n'),
  garbage: (socket) => void socket.resume().write('\0\xff<html>{"ok":true\n'),
  endless: (socket) => {
    socket.resume();
    const timer = setInterval(() => socket.write('x'.repeat(1000)), 1);
    socket.on('close', () => clearInterval(timer));
  },
  piecemeal: (socket) => {
    socket.resume();
    socket.write('{"ok":');
    socket.write('tr');
  },
  deaf: (socket) => void socket.pause(),
};

async function misbehave(path: string, behaviour: Misbehaviour): Promise<void> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    behaviour(socket);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
}
