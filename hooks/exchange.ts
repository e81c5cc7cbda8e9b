// The answering hook's talk with the daemon: asks, hears `wait` at once or nothing, then waits for one line.
import { ASK, type AskArgs, type AskOutput, type HandedWord } from '../src/ipc/ask.ts';
import { LINE_LIMIT } from '../src/ipc/frames.ts';
import { connectPipe, written } from './pipe.ts';

/** The daemon says within this time, ms, that the hook is to wait, where the client shows nothing meanwhile: else it leaves. */
export const WAIT_LIMIT = 120;
/** The same where the client's own dialog or prompt stands beside it: a daemon that is busy or was suspended is waited for. */
export const BESIDE_LIMIT = 30_000;
/** Ms beyond the daemon's own deadline after which a hook leaves that a hung daemon has forgotten. */
const GRACE = 5_000;

/** Heartbeats that may be missed. */
const MISSED = 3;
const LONGEST_BEAT = 60_000;

/** What the daemon says. */
export interface Heard {
  readonly output: AskOutput;
  /** Says what became of it, as the last thing. Resolves once that is on its way, or nobody listens. */
  readonly say: (word: HandedWord) => Promise<void>;
}

/** Null: it says nothing, whatever the cause. `patience`: ms until it has to say that the hook is to wait. */
export function exchange(socket: string, args: AskArgs, patience = WAIT_LIMIT): Promise<Heard | null> {
  const request = `${JSON.stringify({ v: 1, op: ASK, args })}\n`;
  return new Promise((resolve) => {
    const leave = (): void => resolve(null);
    if (request.length > LINE_LIMIT) return leave();
    // On a busy machine the answer may lie there unread: it is looked for once more.
    let limit = setTimeout(() => setImmediate(() => waiting || leave()), patience);
    let waiting = false;
    let heard = true;
    let silence: NodeJS.Timeout | null = null;
    /** A daemon that is frozen holds nobody; here too what lies there unread counts. */
    const listen = (beat: number): void => {
      silence = setTimeout(() => {
        heard = false;
        setImmediate(() => heard || leave());
      }, MISSED * Math.min(beat, LONGEST_BEAT));
    };
    let text = '';
    connectPipe(socket).then((pipe) => {
      if (!pipe) return leave();
      pipe.read((chunk) => {
        if (!chunk) return leave();
        heard = true;
        silence?.refresh();
        text += chunk.toString('latin1'); // cut only at line feeds, then read as what it is
        if (text.length > LINE_LIMIT) return leave();
        for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
          const data = dataOf(Buffer.from(text.slice(0, end), 'latin1').toString());
          text = text.slice(end + 1);
          const { wait, beat } = data;
          if (waiting && beat === true) continue;
          const output = waiting ? outputOf(data) : null;
          if (waiting || typeof wait !== 'number')
            return resolve(output && { output, say: (word) => written(pipe.write(Buffer.from(`${word}\n`))) });
          waiting = true;
          clearTimeout(limit);
          limit = setTimeout(leave, Math.min(Math.max(0, wait) + GRACE, 0x7fffffff));
          if (typeof beat === 'number' && beat > 0) listen(beat);
        }
      });
      pipe.write(Buffer.from(request)); // the daemon's answer says more
    }, leave);
  });
}

/** The data of a line; nothing of any other line. */
function dataOf(line: string): Record<string, unknown> {
  try {
    const { data } = JSON.parse(line) as { data?: Record<string, unknown> | null };
    return data ?? {};
  } catch {
    return {};
  }
}

function outputOf({ stdout, reply }: Record<string, unknown>): AskOutput | null {
  if (typeof stdout === 'string') return { stdout };
  return typeof reply === 'string' && reply.trim() !== '' ? { reply } : null;
}
