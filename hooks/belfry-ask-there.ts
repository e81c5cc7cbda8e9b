// What our plugins and extensions inside clients load on a machine that another one looks after, in place of belfry-ask-inside.ts: each open
// question is a process of hooks/ask-far.sh, which waits for the relay. Whatever fails, the client's own dialog is all there is.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ASK_LIMIT, HANDED_WORDS } from '../src/ipc/ask.ts';
import type { Asker, Asking } from './belfry-ask-inside.ts';

/** Questions that are kept at once: a machine elsewhere may have so many. */
const MAX_QUESTIONS = 50;

/** `agent`: as Belfry calls the client. */
export function createAsker(agent: string): Asker {
  const folder = dirname(fileURLToPath(import.meta.url));
  /** How each is ended, with its last word. */
  const open = new Map<string, (word: string) => void>();
  const isOff = process.env['BELFRY_DISABLE'] === '1';

  function begin(id: string, raw: string, give: Asking['give']): void {
    const words = [join(folder, 'belfry-ask.sh'), folder, '--agent', agent, '--inside'];
    const hook = spawn('sh', words, { stdio: ['pipe', 'pipe', 'ignore'] });
    const end = (word: string): void => {
      if (open.get(id) === end) open.delete(id);
      hook.stdin.end(`${word}\n`);
    };
    open.set(id, end);
    hook.on('error', () => open.delete(id)); // no sh: it is answered at its terminal
    hook.on('exit', () => void (open.get(id) === end && open.delete(id)));
    hook.stdin.on('error', () => undefined); // its end says it
    let text = '';
    hook.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      // Until it is known that it came, it may come again.
      if (open.get(id) !== end) return;
      text += chunk;
      const at = text.indexOf('\n');
      if (at < 0) return;
      open.delete(id);
      void handOver(text.slice(0, at), give).then(end);
    });
    // The client ends when it wants to.
    hook.unref();
    for (const stream of [hook.stdin, hook.stdout]) if ('unref' in stream) (stream as { unref(): void }).unref(); // pipes are sockets
    hook.stdin.write(`${raw}\n`);
  }

  return {
    ask: (id, { input, give }) => {
      const raw = JSON.stringify(input);
      if (isOff || open.has(id) || open.size >= MAX_QUESTIONS || Buffer.byteLength(raw) > ASK_LIMIT) return;
      try {
        begin(id, raw, give);
      } catch {
        open.delete(id); // no process could be made
      }
    },
    end: (id, word) => open.get(id)?.(word),
  };
}

/** What became of it; nothing: the client does not say. */
async function handOver(answer: string, give: Asking['give']): Promise<string> {
  try {
    const word = await give(JSON.parse(answer) as Record<string, unknown>);
    return HANDED_WORDS.find((known) => known === word) ?? '';
  } catch {
    return ''; // what fails in handing over is the client's own: its dialog is still there
  }
}
