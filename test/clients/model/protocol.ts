// What clients ask their model and what it answers, whatever the protocol on the wire.

/** A tool that the model wants to use. */
export interface WantedTool {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Of the tool's name, where the protocol has them. */
  readonly namespace?: string;
}

/** One answer of the model. */
export type Reply = { readonly text: string } | { readonly tool: WantedTool };

/** One request for an answer. */
export interface Asked {
  readonly model: string;
  /** Names of the tools it may use; none: a request on the side, for a title or the like. */
  readonly tools: readonly string[];
  /** What came since the model's last words: texts and results of tools. */
  readonly all: string;
  /** The texts of it after the last result of a tool. */
  readonly said: string;
  readonly stream: boolean;
}

/** One protocol. */
export interface Protocol {
  /** Whether a request to this path asks for an answer. */
  serves(path: string): boolean;
  read(body: unknown, path: string): Asked;
  /** Server-sent events. */
  stream(asked: Asked, reply: Reply, id: string): string;
  /** Body of an answer that is not streamed. */
  whole(asked: Asked, reply: Reply, id: string): unknown;
  /** Body of status 401. */
  readonly refusal: unknown;
}

/** A part of a conversation: who says it, and whether it is a tool's result. */
export interface Said {
  readonly by: 'user' | 'model';
  readonly text: string;
  readonly result?: boolean;
}

/** What came since the model's last words. */
export function latest(conversation: readonly Said[]): Pick<Asked, 'all' | 'said'> {
  const since = conversation.slice(conversation.findLastIndex(({ by }) => by === 'model') + 1);
  const texts = (parts: readonly Said[]): string => parts.map(({ text }) => text).join('\n');
  return { all: texts(since), said: texts(since.slice(since.findLastIndex(({ result }) => result === true) + 1)) };
}

/** A text, or the texts of blocks. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return content === undefined || content === null ? '' : JSON.stringify(content);
  return content
    .map((block: { text?: unknown; content?: unknown }) =>
      typeof block.text === 'string' ? block.text : JSON.stringify(block.content ?? ''),
    )
    .join('\n');
}

/** Tokens that nobody counts. */
export const TOKENS = 10;
