// `belfry send`: raises an event by hand, and reports its deliveries.
import { EXIT, UserError } from '../model/errors.ts';
import { KINDS, URGENCIES } from '../model/event.ts';
import { resolveOwnPaths } from '../runtime/environment.ts';
import { ask } from './rpc.ts';
import { ensureDaemon } from './background.ts';
import type { Define } from './entry.ts';
import { folderOf } from './folder-option.ts';
import type { Io } from './io.ts';

interface Options {
  readonly kind: string;
  readonly urgency: string;
  readonly session?: string;
  readonly cwd?: string;
}

/** The daemon's answer: daemon/commands/send.ts. */
interface Sent {
  readonly id: string;
  readonly verdicts: readonly { readonly stage: string; readonly verdict: string; readonly note: string }[];
  readonly deliveries: readonly { readonly channel: string; readonly state: string; readonly error: string | null }[];
}

/** The receivers have 15 s. */
const PATIENCE = 30_000;
/** Most characters of a body from stdin. */
const LIMIT = 100_000;

export const define: Define = (command, io) => {
  command
    .argument('<TITLE>')
    .argument('[BODY]', 'text; "-" reads it from standard input', '')
    .option('--kind <KIND>', 'the event’s kind', 'test')
    .option('--urgency <LEVEL>', 'low, normal or urgent', 'normal')
    .option('--session <ID>', 'the session it belongs to')
    .option('--cwd <PATH>', 'the folder it belongs to')
    .action(async (title: string, body: string, options: Options) => {
      oneOf('--kind', options.kind, KINDS);
      oneOf('--urgency', options.urgency, URGENCIES);
      if (title.trim() === '') throw new UserError('the title is empty', EXIT.usage);
      const text = body === '-' ? await standardInput() : body;
      const paths = resolveOwnPaths();
      await ensureDaemon(paths, true);
      const { kind, urgency, session = null } = options;
      const cwd = options.cwd === undefined ? null : folderOf(options.cwd);
      const args = { title, body: text, kind, urgency, session, cwd };
      show(io, (await ask(paths, 'send', args, PATIENCE)) as Sent);
    });
};

function show(io: Io, sent: Sent): void {
  const failed = sent.deliveries.filter((delivery) => delivery.error !== null && delivery.state !== 'sent');
  if (failed.length > 0) io.exit = EXIT.refused;
  if (io.json) {
    io.data(sent);
    return;
  }
  for (const { channel, state, error } of sent.deliveries)
    io.line(`${channel}: ${state === 'sent' ? 'told' : `${state}${error === null ? '' : `: ${error}`}`}`);
  const stop = sent.verdicts.findLast((verdict) => verdict.verdict === 'stop');
  if (sent.deliveries.length === 0) io.line(`told to nobody${stop ? `: ${stop.note}` : ''}`);
  io.note(`event ${sent.id.slice(0, 13)}; \`belfry why ${sent.id.slice(0, 13)}\` says more`);
}

function oneOf(option: string, given: string, known: readonly string[]): void {
  if (!known.includes(given)) throw new UserError(`${option} ${given}: not one of ${known.join(', ')}`, EXIT.usage);
}

async function standardInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.length > LIMIT) throw new UserError(`standard input is longer than ${LIMIT} characters`, EXIT.usage);
  }
  return text.trimEnd();
}
