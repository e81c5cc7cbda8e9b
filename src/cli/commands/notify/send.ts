// `belfry send`: raises an event by hand, and says where it was sent.
import { EXIT, UserError } from '../../../model/errors.ts';
import { KINDS, URGENCIES } from '../../../model/event/event.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { ask } from '../../daemon/rpc.ts';
import { callerOf } from '../../daemon/caller.ts';
import { ensureListening } from '../../daemon/start-in-background.ts';
import type { Define } from '../../command-entry.ts';
import { folderOf } from '../../options/folder.ts';
import { durationOf } from '../../options/times.ts';
import { noteFault } from '../../report-error.ts';
import { stopDaemon } from '../../daemon/stop-daemon.ts';
import { formatDuration } from '../../../model/quantities.ts';
import { untilDelivered } from './left-to-deliver.ts';
import { outcomeWords } from '../history/delivery-state.ts';
import type { Io } from '../../io.ts';
import { shortId, withStore } from '../../reading/with-store.ts';

interface Options {
  readonly kind: string;
  readonly urgency: string;
  readonly session?: string;
  readonly cwd?: string;
  readonly wait?: string;
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
    .argument('<TITLE>', 'title of the notification')
    .argument('[BODY]', 'its text; "-" reads standard input')
    .option('--kind <KIND>', 'kind of the event', 'test')
    .option('--urgency <LEVEL>', 'low, normal or urgent', 'normal')
    .option('--session <ID>', 'session of the event')
    .option('--cwd <PATH>', 'folder of the event')
    .option(
      '--wait <DURATION>',
      'end once everything is delivered, or after this long; stops the daemon that it started',
    )
    .action(async (title: string, body: string | undefined, options: Options) => {
      oneOf('--kind', options.kind, KINDS);
      oneOf('--urgency', options.urgency, URGENCIES);
      if (title.trim() === '') throw new UserError('the title is empty', EXIT.usage);
      const text = body === '-' ? await standardInput() : (body ?? '');
      const patience = options.wait === undefined ? null : durationOf(options.wait, '--wait');
      const paths = resolveOwnPaths();
      const began = Date.now();
      const isOurs = await ensureListening(paths);
      const { kind, urgency, session = null } = options;
      const cwd = options.cwd === undefined ? null : folderOf(options.cwd);
      const args = { title, body: text, kind, urgency, session, cwd, caller: callerOf(io.env) };
      try {
        const sent = (await ask(paths, 'send', args, PATIENCE)) as Sent;
        if (patience === null) return await show(io, sent);
        // All of it: what hooks of the same job have left goes out as well.
        await untilDelivered(paths, began, patience);
        await showDelivered(io, sent, patience);
      } finally {
        // What was not delivered is kept for the next one.
        if (patience !== null && isOurs) await stopDaemon(paths);
      }
    });
};

/** With what has become of each delivery since; exit 5 where one has not come to anybody. */
async function showDelivered(io: Io, sent: Sent, patience: number): Promise<void> {
  const now = await withStore((store) => store.deliveries({ eventId: sent.id, operations: ['send'], step: 0 }));
  await show(io, {
    ...sent,
    deliveries: now.map(({ channel, state, lastError }) => ({ channel, state, error: lastError })),
  });
  const late = now.filter(({ state, heldBy }) => (state === 'pending' || state === 'leased') && heldBy === null);
  const failed = now.filter(({ state }) => state === 'paused' || state === 'dead');
  if (late.length + failed.length > 0) io.exit = EXIT.refused;
  if (late.length > 0)
    noteFault(io, `not delivered within ${formatDuration(patience)}: ${late.map(({ channel }) => channel).join(', ')}`);
}

async function show(io: Io, sent: Sent): Promise<void> {
  const failed = sent.deliveries.filter((delivery) => delivery.error !== null && delivery.state !== 'sent');
  if (failed.length > 0) io.exit = EXIT.refused;
  if (io.json) {
    io.data(sent);
    return;
  }
  const stop = sent.verdicts.findLast((verdict) => verdict.verdict === 'stop');
  // What is held back for a digest is a delivery, too.
  const isHeld = stop !== undefined && sent.deliveries.every(({ state }) => state === 'pending');
  if (sent.deliveries.length === 0 || isHeld) io.line(`not sent${stop ? `: ${stop.note}` : ' to anyone'}`);
  else
    for (const { channel, state, error } of sent.deliveries)
      io.line(`${channel}: ${outcomeWords(state)}${state === 'sent' || error === null ? '' : `: ${error}`}`);
  const id = await withStore((store) => shortId(store, sent.id));
  io.note(`details: belfry why ${id}`);
}

function oneOf(option: string, given: string, known: readonly string[]): void {
  if (!known.includes(given)) throw new UserError(`${option} ${given}: must be one of ${known.join(', ')}`, EXIT.usage);
}

async function standardInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.length > LIMIT) throw new UserError(`standard input is longer than ${LIMIT} characters`, EXIT.usage);
  }
  return text.trimEnd();
}
