// What our plugins and extensions inside clients load, `belfry-ask.mjs`: keeps the client's open questions at the daemon, through its restarts, and hands answers over.
// Nothing of it is ever waited for by the client, and whatever fails, its own dialog is all there is.
import { ASK_LIMIT, HANDED_WORDS, type HandedWord, type LastWord, STOPPED } from '../src/ipc/ask.ts';
import { gatherOrigin } from '../src/ipc/hook-origin.ts';
import { homelessTrouble, resolveOwnPaths } from '../src/runtime/own-paths.ts';
import { trustedSocket } from '../src/runtime/trusted-socket.ts';
import { type Talk, type TalkEnd, talk } from './inside-talk.ts';

/** Questions that are kept at once; one more is answered at the terminal. */
const MAX_QUESTIONS = 50;
/** Ms between tries while no daemon answers: the first, then twice as long each time. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 5_000;

/** One thing that the client asks. */
export interface Asking {
  /** What it asks, as the notifying hook is given it. */
  readonly input: unknown;
  /** Hands an answer over, whose form is that of the agent's own file; resolves with a HandedWord where the client says what became of it. */
  readonly give: (answer: Readonly<Record<string, unknown>>) => Promise<unknown>;
  /** Whether the client still waits: looked at before another daemon is asked. */
  readonly isOpen: () => Promise<boolean>;
}

/** The open questions of one client. */
export interface Asker {
  ask(id: string, asking: Asking): void;
  /** It was settled in another way; nothing where it is not asked any more. */
  end(id: string, word: LastWord): void;
}

interface Open extends Asking {
  readonly raw: string;
  /** Unix ms. */
  readonly startedAt: number;
  talk: Talk | null;
}

/** `agent`: as Belfry calls the client. */
export function createAsker(agent: string): Asker {
  const open = new Map<string, Open>();
  const isOff = process.env['BELFRY_DISABLE'] === '1';

  /** Asks until there is an answer or a reason to leave. */
  async function keep(id: string, asking: Open): Promise<void> {
    const isCurrent = (): boolean => open.get(id) === asking;
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const how = await put(agent, asking);
      if (!isCurrent()) return;
      if (how !== 'lost' && !('left' in how && how.left === STOPPED)) {
        open.delete(id);
        if ('answer' in how) asking.talk?.leave(await given(asking, how.answer));
        return;
      }
      await rest(pause);
      if (!isCurrent()) return;
      if (await asking.isOpen()) continue;
      if (isCurrent()) open.delete(id);
      return;
    }
  }

  return {
    ask: (id, asking) => {
      const raw = JSON.stringify(asking.input);
      if (isOff || open.has(id) || open.size >= MAX_QUESTIONS || Buffer.byteLength(raw) > ASK_LIMIT) return;
      const one: Open = { ...asking, raw, startedAt: Date.now(), talk: null };
      open.set(id, one);
      keep(id, one).catch(() => void (open.get(id) === one && open.delete(id)));
    },
    end: (id, word) => {
      const asking = open.get(id);
      open.delete(id);
      asking?.talk?.leave(word);
    },
  };
}

/** Null: the client does not say what became of it. */
async function given({ give }: Open, answer: string): Promise<HandedWord | null> {
  try {
    const word = await give(JSON.parse(answer) as Record<string, unknown>);
    return HANDED_WORDS.find((known) => known === word) ?? null;
  } catch {
    return null; // what fails in handing over is the client's own: its dialog is still there
  }
}

async function put(agent: string, asking: Open): Promise<TalkEnd> {
  const { raw, startedAt } = asking;
  const socket = homelessTrouble() ? null : trustedSocket(resolveOwnPaths());
  if (socket === null) return 'lost';
  asking.talk = talk(socket, { startedAt, agent, reply: false, raw, origin: gatherOrigin() });
  return asking.talk.ended;
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
