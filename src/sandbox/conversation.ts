// The messages of the mock's sessions: a user's words, a tool at work, the assistant's answer.
import type { Contract } from '../api/contract/contract.ts';
import type { Output } from '../api/contract/endpoint.ts';

export type Message = Output<Contract['sessions']['message']>;

/** A posted message and when it is worked on and answered (Unix ms). */
export interface Turn {
  /** Id of the user's message. */
  readonly id: string;
  readonly text: string;
  /** Its attachments, as text. */
  readonly attachments: readonly string[];
  readonly at: number;
  readonly runsAt: number;
  readonly answeredAt: number;
}

/** The messages of a turn that are there at `now`. */
export function turnMessages(turn: Turn, now: number): Message[] {
  const toolAt = Math.round((turn.runsAt + turn.answeredAt) / 2);
  const all: Message[] = [
    {
      ...common(turn.id, turn.at),
      role: 'user',
      content: [
        { type: 'text', text: turn.text, id: `${turn.id}-text` },
        ...turn.attachments.map((what, i) => ({ type: 'attachment', id: `${turn.id}-attachment-${i}`, name: what })),
      ],
    },
    {
      ...common(`${turn.id}-tool`, toolAt),
      role: 'tool',
      content: [{ type: 'tool_result', id: `${turn.id}-result`, output: 'ok', isError: false }],
      parentId: turn.id,
      visibility: 'llm_only',
      isUserVisible: false,
    },
    {
      ...common(`${turn.id}-answer`, turn.answeredAt),
      role: 'assistant',
      content: [{ type: 'text', text: answerTo(turn), id: `${turn.id}-answer-text` }],
      parentId: turn.id,
      vendorAPhase: 'final_answer',
    },
  ];
  return all.filter((message) => message.createdAt <= now);
}

/** Requests that make a long session: with their tools and answers more than two pages. */
const SMALLER = [
  'Run the tests again.',
  'Why is that one slow?',
  'Make it faster.',
  'Rename the helper.',
  'Add a test for it.',
  'Explain the retry.',
  'Use the shared clock.',
  'Remove the dead code.',
  'Check the types.',
  'Run the linter.',
  'Write the commit message.',
  'Push the branch.',
  'Open a pull request.',
] as const;

/** What a session that is there from the start has talked about. */
export function conversation(sessionId: string, title: string, from: number): Turn[] {
  return [`${title}, please.`, 'Also update the changelog.', ...SMALLER].map((text, i) => {
    const at = from + i * 200_000 + 1_000;
    return {
      id: `${sessionId}-message-${i + 1}`,
      text,
      attachments: [],
      at,
      runsAt: at + 300,
      answeredAt: at + 90_000,
    };
  });
}

const common = (id: string, at: number) =>
  ({ id, createdAt: at, updatedAt: at, visibility: 'both', isUserVisible: true, isError: false }) as const;

function answerTo(turn: Turn): string {
  const [first = ''] = turn.text.split('\n');
  const seen = turn.attachments.length > 0 ? ` I have read ${turn.attachments.join(', ')}.` : '';
  return `Done: ${first.slice(0, 200)}${seen}`;
}
