// The mock's sessions: pending, running, idle as time goes by, and an answer to every posted message.
import type { Contract } from '../api/contract/contract.ts';
import type { Output } from '../api/contract/endpoint.ts';
import type { Computers } from './computers.ts';
import { conversation, type Message, type Turn, turnMessages } from './conversation.ts';
import { hex, seeded } from './random.ts';
import { type Handlers, notFound, pageOf } from './service.ts';

type Session = Output<Contract['sessions']['get']>;

/** From a posted message to work, and from there to the answer, ms: together below two seconds. */
const PENDING_MS = 300;
const RUNNING_MS = 1_200;

interface Kept {
  readonly id: string;
  readonly title: string | null;
  readonly computerId: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly turns: Turn[];
}

/** Sessions of this seed: two that had some work, on computers that are there. */
export function sessionsOf(seed: string, now: () => number, computers: Computers): Handlers['sessions'] {
  const draw = seeded(seed, 'sessions');
  const sessions = new Sessions(now, computers);
  const known = computers.handlers.list({}).computers;
  const start = now();
  for (const [i, title] of ['Fix the flaky payment test', 'Write the release notes'].entries()) {
    const at = start - (i + 2) * 3_600_000;
    const kept = sessions.add({
      id: `session-${i + 1}`,
      title,
      computerId: known[i]?.id ?? '',
      settings: { model: 'atlas-2' },
      createdAt: at,
    });
    kept.turns.push(...conversation(kept.id, title, at));
  }
  return {
    create: ({ computerId, sessionSettings = {} }) => {
      if (!computers.byId(computerId)) throw notFound(`computer ${computerId}`);
      const id = `session-${hex(draw, 2)}`;
      const settings = { ...sessionSettings };
      return sessions.view(sessions.add({ id, title: null, computerId, settings, createdAt: now() }));
    },
    get: (input) => sessions.view(sessions.find(input)),
    messages: (input) => {
      const messages = sessions.messages(sessions.find(input));
      const wanted = messages.filter((message) => input.role === undefined || message.role === input.role);
      const { items, hasMore, nextCursor } = pageOf(wanted, (message) => message.id, input);
      return { messages: items, pagination: { hasMore, nextCursor } };
    },
    message: (input) => {
      const message = sessions.messages(sessions.find(input)).find((one) => one.id === input.messageId);
      if (!message) throw notFound(`message ${input.messageId}`);
      return message;
    },
    send: (input) => {
      const kept = sessions.find(input);
      const attachments = [
        ...(input.images ?? []).map((image) => image.mediaType),
        ...(input.files ?? []).map((file) => `${file.name} (${file.mediaType})`),
      ];
      const turn = nextTurn(kept, { id: `msg_${hex(draw, 2)}`, text: input.text, attachments, at: now() });
      kept.turns.push(turn);
      return { messageId: turn.id, status: sessions.view(kept).status };
    },
  };
}

/** It begins when the turn before it is over. */
function nextTurn(kept: Kept, said: Omit<Turn, 'runsAt' | 'answeredAt'>): Turn {
  const free = Math.max(said.at, kept.turns.at(-1)?.answeredAt ?? 0);
  return { ...said, runsAt: free + PENDING_MS, answeredAt: free + PENDING_MS + RUNNING_MS };
}

class Sessions {
  readonly #all = new Map<string, Kept>();
  readonly #now: () => number;
  readonly #computers: Computers;

  constructor(now: () => number, computers: Computers) {
    this.#now = now;
    this.#computers = computers;
  }

  add(session: Omit<Kept, 'turns'>): Kept {
    const kept = { ...session, turns: [] };
    this.#all.set(kept.id, kept);
    return kept;
  }

  find({ sessionId, computerId }: { readonly sessionId: string; readonly computerId?: string | undefined }): Kept {
    const kept = this.#all.get(sessionId);
    if (!kept || (computerId !== undefined && kept.computerId !== computerId)) throw notFound(`session ${sessionId}`);
    return kept;
  }

  messages(kept: Kept): Message[] {
    return kept.turns.flatMap((turn) => turnMessages(turn, this.#now()));
  }

  view(kept: Kept): Session {
    const messages = this.messages(kept);
    const last = kept.turns.at(-1);
    const status = this.#status(kept);
    const title = kept.title ?? kept.turns[0]?.text.slice(0, 60);
    return {
      sessionId: kept.id,
      status,
      messageCount: messages.length,
      createdAt: kept.createdAt,
      updatedAt: Math.max(kept.createdAt, messages.at(-1)?.createdAt ?? 0),
      ...(title ? { title } : {}),
      ...(last && status === 'idle' ? { completedAt: last.answeredAt } : {}),
      computerId: kept.computerId,
      sessionSettings: {
        reasoningEffort: 'none',
        interactionMode: 'auto',
        autonomyLevel: 'off',
        autonomyMode: 'normal',
        ...kept.settings,
        tokenUsage: {
          inputTokens: messages.length * 1_840,
          outputTokens: messages.length * 210,
          cacheCreationTokens: messages.length * 320,
          cacheReadTokens: messages.length * 2_700,
          thinkingTokens: 0,
        },
      },
    };
  }

  #status(kept: Kept): 'pending' | 'running' | 'idle' {
    const at = this.#now();
    const busy = kept.turns.find((turn) => turn.answeredAt > at);
    // A new session waits for its computer; on one that failed it waits for ever.
    const waits = this.#computers.byId(kept.computerId)?.status !== 'active' || at < kept.createdAt + PENDING_MS;
    if (waits || (busy && at < busy.runsAt)) return 'pending';
    return busy ? 'running' : 'idle';
  }
}
