// The answering talk of code that runs inside a client: asks the daemon, hears that it is to wait, then one line. Over node:net, which every client's engine has.
import { connect } from 'node:net';
import { ASK, type AskArgs, type HandedWord, type LastWord } from '../src/ipc/ask.ts';
import { LINE_LIMIT } from '../src/ipc/frames.ts';

/** Nothing is held up meanwhile, so a busy daemon may take this long, ms, to say that it is to wait. */
const PATIENCE = 5_000;

/** How it ended: with an answer, with a reason to leave, or cut off. */
export type TalkEnd = { readonly answer: string } | { readonly left: string } | 'lost';

/** One question that waits at the daemon. */
export interface Talk {
  readonly ended: Promise<TalkEnd>;
  /** Nobody needs an answer any more, or what became of the one that was given; null: nobody knows. The daemon hears it. */
  readonly leave: (word: LastWord | HandedWord | null) => void;
}

/** Never throws, and never keeps the client's process alive. */
export function talk(path: string, args: AskArgs): Talk {
  let end: (how: TalkEnd) => void = () => undefined;
  const ended = new Promise<TalkEnd>((resolve) => {
    end = resolve;
  });
  const socket = connect(path);
  socket.unref();
  socket.setEncoding('utf8');
  const close = (how: TalkEnd): void => {
    clearTimeout(limit);
    end(how);
    socket.destroy();
  };
  const limit = setTimeout(() => close('lost'), PATIENCE);
  limit.unref();
  let text = '';
  socket.on('data', (chunk: string) => {
    text += chunk;
    if (text.length > LINE_LIMIT) return close('lost');
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n')) {
      const line = read(text.slice(0, at));
      text = text.slice(at + 1);
      if (line === 'wait') clearTimeout(limit);
      else if (line !== 'lost' && 'answer' in line)
        end(line); // it hears what became of it
      else return close(line);
    }
  });
  for (const event of ['end', 'error', 'close']) socket.on(event, () => close('lost'));
  socket.write(`${JSON.stringify({ v: 1, op: ASK, args })}\n`);
  return {
    ended,
    leave: (word) => {
      clearTimeout(limit);
      end({ left: word ?? 'nobody knows' });
      socket.end(word === null ? '' : `${word}\n`);
    },
  };
}

function read(line: string): TalkEnd | 'wait' {
  try {
    const { data } = JSON.parse(line) as { data?: Readonly<Record<string, unknown>> | null };
    if (typeof data?.['stdout'] === 'string') return { answer: data['stdout'] };
    if (typeof data?.['left'] === 'string') return { left: data['left'] };
    return typeof data?.['wait'] === 'number' ? 'wait' : { left: 'of another version' };
  } catch {
    return 'lost';
  }
}
