#!/usr/bin/env node
// The answering hook: asks the daemon whether somebody may answer from elsewhere, waits, and prints the answer in the client's own form.
// The client's own prompt is usable meanwhile. Whatever fails, it leaves with 0 and prints nothing, as if it had not been there.
import { writeSync } from 'node:fs';
import { ASK_LIMIT, type AskOutput, REPLY_STATUS } from '../src/ipc/ask.ts';
import { gatherOrigin } from '../src/ipc/hook-origin.ts';
import { homelessTrouble, resolveOwnPaths } from '../src/runtime/own-paths.ts';
import { trustedSocket } from '../src/runtime/trusted-socket.ts';
import { type AskOptions, readAskOptions } from './ask-options.ts';
import { BESIDE_LIMIT, exchange, WAIT_LIMIT } from './exchange.ts';
import { readStdin } from './input.ts';

const startedAt = Math.round(Date.now() - process.uptime() * 1000);
const leave = (): never => process.exit(0);
/** Ms at most that the last word to the daemon takes. */
const SAYING = 200;
const rest = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** Returns the exit status. */
async function main({ agent, reply, beside }: AskOptions): Promise<number> {
  if (homelessTrouble()) return 0;
  const socket = trustedSocket(resolveOwnPaths());
  if (socket === null) return 0;
  const { raw, cut } = await readStdin().settled;
  if (cut || raw.length === 0 || raw.length > ASK_LIMIT) return 0;
  const origin = gatherOrigin();
  const patience = beside && !isHosted(origin.env) ? BESIDE_LIMIT : WAIT_LIMIT;
  const heard = await exchange(socket, { startedAt, agent, reply, raw: raw.toString(), origin, beats: true }, patience);
  if (heard === null) return 0;
  const isPrinted = printed(heard.output, reply);
  // A client that has taken its question back ends this process by a signal, so whoever gets here was still waited for.
  await Promise.race([heard.say(isPrinted ? 'taken' : 'unsent'), rest(SAYING)]);
  return isPrinted && reply ? REPLY_STATUS : 0;
}

/** Whether the client has the answer. */
function printed(output: AskOutput, reply: boolean): boolean {
  const text = reply ? 'reply' in output && output.reply : 'stdout' in output && output.stdout;
  if (text === false) return false;
  try {
    print(reply ? 2 : 1, text);
    return true;
  } catch {
    return false; // the client has closed its end
  }
}

/** A client without a prompt of its own, such as a one-shot run, waits for its hooks. */
function isHosted(env: Readonly<Record<string, string>>): boolean {
  return Object.keys(env).some((name) => name.endsWith('_ENTRYPOINT') && env[name]?.startsWith('sdk'));
}

/** All of it: half an answer is none, and the client then goes on without. */
function print(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}

process.on('uncaughtException', leave);
const options = readAskOptions(process.argv.slice(2));
if (options === null || process.env['BELFRY_DISABLE'] === '1') leave();
else main(options).then((status) => process.exit(status), leave);
