#!/usr/bin/env node
// The hook program: reads one hook input, submits it, exits 0 whatever happens.
import { existsSync, writeSync } from 'node:fs';
import { startDaemonDetached } from '../src/runtime/autostart.ts';
import { autostartForbidden } from '../src/runtime/autostart-setting.ts';
import { joinPath } from '../src/runtime/join-path.ts';
import type { Envelope } from '../src/ipc/envelope.ts';
import { newId } from '../src/ipc/id.ts';
import { gatherOrigin } from '../src/ipc/hook-origin.ts';
import type { Paths } from '../src/runtime/paths.ts';
import { writeSpool } from '../src/ipc/spool.ts';
import { ancestorsFrom } from '../src/runtime/process-table.ts';
import { homelessTrouble, resolveOwnPaths } from '../src/runtime/own-paths.ts';
import { trustedSocket } from '../src/runtime/trusted-socket.ts';
import { submit } from './submit.ts';
import { type HookInput, readStdin } from './input.ts';
import { type Options, readOptions } from './options.ts';
import { debugLog } from './debug-log.ts';

/** The acknowledgement is awaited this long, ms; with the spool after it the agent waits less than 250 ms. */
const ANSWER_LIMIT = 120;

const startedAt = Math.round(Date.now() - process.uptime() * 1000);
const leave = (): never => process.exit(0);

function print(text: string): void {
  try {
    writeSync(1, text);
  } catch {
    // the client does not listen
  }
}

function keep(paths: Paths, envelope: Envelope): void {
  // A file may be read when this process's ancestors have exited, or on another machine where its pids say nothing.
  const host = process.getBuiltinModule('node:os').hostname();
  const origin = { ...envelope.origin, ancestors: ancestorsFrom(process.ppid), host };
  const trouble = writeSpool(paths.spool, { ...envelope, origin });
  debugLog(paths, trouble ? `lost: ${trouble}` : `spooled ${envelope.id}`);
}

function startDaemon(paths: Paths): void {
  if (process.env['BELFRY_NO_AUTOSTART'] === '1' || autostartForbidden(paths.config)) return;
  const started = startDaemonDetached(paths, joinPath(__dirname, 'daemon.js'), { auto: true });
  debugLog(paths, `daemon: ${started.state}`);
}

async function main(options: Options): Promise<void> {
  if (homelessTrouble()) return;
  const paths = resolveOwnPaths();
  if (options.marker && !existsSync(joinPath(paths.run, options.marker))) return;
  const base = { id: newId(startedAt), startedAt, origin: gatherOrigin() };
  const envelope = (input: HookInput): Envelope => ({
    ...base,
    ...(options.agent && { agent: options.agent }),
    ...(options.event && { event: options.event }),
    receivedAt: Date.now(),
    ...input,
  });
  const reading = readStdin();
  for (const cause of ['SIGTERM', 'SIGHUP', 'SIGINT', 'uncaughtException']) {
    process.on(cause, () => {
      debugLog(paths, `ended by ${cause}`);
      const input = reading.soFar();
      if (input.raw.length > 0) keep(paths, envelope(input));
      leave();
    });
  }
  const whole = envelope(await reading.settled);
  const socket = trustedSocket(paths);
  const result = socket ? await submit(socket, whole, ANSWER_LIMIT) : 'missing';
  debugLog(paths, `${result} ${whole.id} ${whole.raw.length} bytes${whole.cut ? `, cut by ${whole.cut}` : ''}`);
  if (result !== 'kept') keep(paths, whole);
  if (result === 'missing') startDaemon(paths);
}

const options = readOptions(process.argv.slice(2));
if (options.print) print(options.print);
if (process.env['BELFRY_DISABLE'] === '1') leave();
main(options).then(leave, leave);
