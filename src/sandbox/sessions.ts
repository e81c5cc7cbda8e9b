// The mock's sessions: pending, running, idle as time goes by, and an answer to every posted message.
import type { Contract } from '../api/contract.ts';
import type { Output } from '../api/endpoint.ts';
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
  const all = new Map<string, Kept>();
  const add = (id: string, title: string | null, computerId: string, settings: object, createdAt: number): Kept => {
    const kept = { id, title, computerId, settings: { ...settings }, createdAt, turns: [] };
    all.set(id, kept);
    return kept;
  };
  const known = computers.handlers.list({}).computers;
  const start = now();
  for (const [i, title] of ['Fix the flaky payment test', 'Write the release notes'].entries()) {
    const kept = add(`session-${i + 1}`, title, known[i]?.id ?? '', { model: 'atlas-2' }, start - (i + 2) * 3_600_000);
    kept.turns.push(...conversation(kept.id, title, kept.createdAt));
  }
  const find = (id: string, computerId: string | undefined): Kept => {
    const kept = all.get(id);
    if (!kept || (computerId !== undefined && kept.computerId !== computerId)) throw notFound(`session ${id}`);
    return kept;
  };
  const listed = (kept: Kept): Message[] => kept.turns.flatMap((turn) => turnMessages(turn, now()));
  return {
    create: (input) => {
      if (!computers.byId(input.computerId)) throw notFound(`computer ${input.computerId}`);
      return view(add(`session-${hex(draw, 2)}`, null, input.computerId, input.sessionSettings ?? {}, now()));
    },
    get: (input) => view(find(input.sessionId, input.computerId)),
    messages: (input) => {
      const messages = listed(find(input.sessionId, input.computerId));
      const wanted = messages.filter((message) => input.role === undefined || message.role === input.role);
      const { items, hasMore, nextCursor } = pageOf(wanted, (message) => message.id, input);
      return { messages: items, pagination: { hasMore, nextCursor } };
    },
    message: (input) => {
      const kept = find(input.sessionId, input.computerId);
      const message = listed(kept).find((one) => one.id === input.messageId);
      if (!message) throw notFound(`message ${input.messageId}`);
      return message;
    },
    send: (input) => {
      const kept = find(input.sessionId, input.computerId);
      const free = Math.max(now(), kept.turns.at(-1)?.answeredAt ?? 0);
      const turn: Turn = {
        id: `msg_${hex(draw, 2)}`,
        text: input.text,
        attachments: [
          ...(input.images ?? []).map((image) => image.mediaType),
          ...(input.files ?? []).map((file) => `${file.name} (${file.mediaType})`),
        ],
        at: now(),
        runsAt: free + PENDING_MS,
        answeredAt: free + PENDING_MS + RUNNING_MS,
      };
      kept.turns.push(turn);
      return { messageId: turn.id, status: view(kept).status };
    },
  };

  function view(kept: Kept): Session {
    const at = now();
    const messages = listed(kept);
    const last = kept.turns.at(-1);
    const busy = kept.turns.find((turn) => turn.answeredAt > at);
    const computer = computers.byId(kept.computerId);
    // A new session waits for its computer; on one that failed it waits for ever.
    const waits = computer?.status !== 'active' || at < kept.createdAt + PENDING_MS;
    const status = waits || (busy && at < busy.runsAt) ? 'pending' : busy ? 'running' : 'idle';
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
        ...{ reasoningEffort: 'none', interactionMode: 'auto', autonomyLevel: 'off', autonomyMode: 'normal' },
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
}
