// Answering an agent from elsewhere: what a question shows, what an answer is, and the contract of a client that can be answered.
import * as z from 'zod';
import type { Question } from './question.ts';

/** Kinds of questions as `[answer] kinds` names them. */
export const ANSWER_KINDS = ['permission', 'question', 'finished'] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

/** The name in the settings of a question's kind. */
export const SETTING_OF: Readonly<Record<Question['kind'], AnswerKind>> = {
  permission: 'permission',
  choice: 'question',
  text: 'finished',
};

/** Longest text of an answer, in UTF-16 units. */
const LONGEST = 10_000;

/** Text from a person for an agent: not empty, without control characters but line feeds and tabs. */
const textSchema = z
  .string()
  .max(LONGEST, `takes at most ${LONGEST} characters`)
  .transform((text) =>
    text
      .replace(/\r\n?/g, '\n')
      .replace(/[^\P{Cc}\n\t]|\p{Surrogate}/gu, '')
      .trim(),
  )
  .refine((text) => text !== '', 'is empty');

/** What a person answers. */
export const answerSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('allow') }),
  z.strictObject({ type: z.literal('deny'), message: textSchema.nullable().default(null) }),
  /** One for each question, in their order: an option's number or text, or a text of its own; several options with commas where it takes several. */
  z.strictObject({ type: z.literal('choose'), choices: z.array(textSchema).min(1).max(10) }),
  z.strictObject({ type: z.literal('reply'), text: textSchema }),
]);
export type Answer = z.output<typeof answerSchema>;

/** One thing to choose, as it is kept. */
export const choiceSchema = z.object({
  question: z.string(),
  options: z.array(z.string()),
  /** What the agent says of each option, in their order; null: nothing. None at all in what an earlier version has written. */
  descriptions: z.array(z.string().nullable()).default([]),
  multiple: z.boolean(),
});
/** One thing to choose. */
export type Choice = z.output<typeof choiceSchema>;

/** What a question shows: the JSON of a question's `subject`. Redacted plain text of an agent, in which what could not be seen is shown by its number. */
export const subjectSchema = z.object({
  agent: z.string(),
  sessionId: z.string(),
  cwd: z.string().nullable(),
  /** Of the subagent that asks. */
  subagent: z.string().nullable(),
  tool: z.string().nullable(),
  /** Whole: the command, the file and its difference, the plan, the last message. */
  text: z.string(),
  choices: z.array(choiceSchema),
  /** Why not all of it is in `text`: nobody may allow from elsewhere what they cannot see. Null: all is there. */
  partial: z.string().nullable(),
});
export type QuestionSubject = z.output<typeof subjectSchema>;

/** A tool and what it is asked for, on one line. */
export interface ToolRequest {
  readonly name: string;
  readonly summary: string | null;
}

/** What an input asks, as the client's file finds it; not redacted. */
export interface AskedQuestion {
  readonly kind: Question['kind'];
  readonly sessionId: string;
  readonly cwd: string | null;
  readonly subagent: string | null;
  readonly tool: ToolRequest | null;
  readonly text: string;
  /** Why `text` is not all of it; null: it is. */
  readonly partial: string | null;
  readonly choices: readonly Choice[];
}

/** An answer whose choices are final: texts, one list a question. */
export type FinalAnswer =
  | Exclude<Answer, { type: 'choose' }>
  | { readonly type: 'choose'; readonly chosen: readonly (readonly string[])[] };

/**
 * How far an answer got. `taken`: the agent has it; `late`: somebody was first at its terminal; `unsent`: nothing of it reached the agent;
 * `unconfirmed`: it was sent, and nothing says that the agent took it.
 */
export type Handed = 'taken' | 'late' | 'unsent' | 'unconfirmed';

/** What a client's records say of an answer; not final: they may say otherwise later. */
export interface Outcome {
  readonly handed: Handed;
  readonly isFinal: boolean;
}

/** An entry in the client's settings that runs the answering hook. */
export interface AnswerEntry {
  readonly event: string;
  /** Seconds that the client lets it wait: longer than any `[answer] wait`. */
  readonly timeout: number;
  /** Whether its command line may hand a reply to the client. */
  readonly reply: boolean;
  /** The client's own dialog is usable while it waits, so that a busy daemon may be waited for; an entry that hands replies always is such. */
  readonly beside?: true;
  /** It only lets the client write to its own terminal: installed on request, or where it is. */
  readonly terminal?: true;
  /** Further keys of the entry. */
  readonly keys: Readonly<Record<string, unknown>>;
}

/** Code of ours inside the client asks the daemon itself, so that no hook waits; it says of each question when it is over. */
export interface InsideAnswering {
  /** A file of its own that the client loads, and its text; null: the module that notifies asks as well. `asker`: URL of dist/belfry-ask.mjs. */
  readonly file: {
    readonly user: (at: { home: string; env: Readonly<Record<string, string | undefined>> }) => string;
    readonly text: (asker: string) => string;
  } | null;
  /** What it asks about is put together inside, so the notifying hook is given other bytes. */
  readonly ownInput: boolean;
  /** What it asks about, for docs/agents/NAME.md. */
  readonly asks: string;
  /** What the user has to do besides; null: nothing. */
  readonly needs: {
    /** As a sentence, after the installation. */
    readonly todo: string;
    /** "can be answered from elsewhere ..." */
    readonly when: string;
  } | null;
}

/** Looks at files that somebody else names, within bounds of size and time; null: there is none, or it did not come in time. Nothing rejects. */
export interface FileReads {
  /** The first `most` bytes as text. */
  start(path: string, most: number): Promise<string | null>;
  /** The last `most` bytes; `whole`: that is all of it. */
  end(path: string, most: number): Promise<{ readonly text: string; readonly whole: boolean } | null>;
}

/** A client that can be answered by a hook that waits, or from inside. */
export interface Answering {
  /** First client version in which all of this was seen; an older or unknown one is not installed for. */
  readonly since: string;
  /** Its own prompt cannot be used meanwhile: its hooks wait only while the person is away. */
  readonly holds?: boolean;
  readonly entries: readonly AnswerEntry[];
  /** Set where it is answered from inside; it has no entries then. */
  readonly inside?: InsideAnswering;
  /** Events that the notifying hook reports in any case then: they say that somebody was first at the terminal. */
  readonly withdrawals: readonly string[];
  /** What an input asks; null: nothing that may be answered from elsewhere. */
  readonly read: (
    input: Readonly<Record<string, unknown>>,
    hints: { readonly env: Readonly<Record<string, string>> },
  ) => AskedQuestion | null;
  /** An input with what it leaves in a file, such as a plan, as it is now: read and printed like any other. Itself where it leaves nothing; never rejects. Left away: every input has all. */
  readonly complete?: (
    input: Readonly<Record<string, unknown>>,
    files: FileReads,
  ) => Promise<Readonly<Record<string, unknown>>>;
  /** What became of a decision that the hook has printed, as the client's records say so far; never rejects. Left away: what was printed was taken. */
  readonly outcome?: (
    asked: { readonly input: Readonly<Record<string, unknown>>; readonly since: number },
    answer: FinalAnswer,
    files: FileReads,
  ) => Promise<Outcome>;
  /** Why the client would not take this answer to what it asks, for people, with what it takes; null: it would. Left away: it takes every one. */
  readonly fault?: (answer: FinalAnswer, input: Readonly<Record<string, unknown>>) => string | null;
  /** A hook may print what its client is to write to its own terminal; left away: it takes nothing. */
  readonly terminal?: {
    /** The session whose terminal an input asks about; null: it asks about none. */
    readonly reads: (input: Readonly<Record<string, unknown>>) => string | null;
    /** The client's own form of it, for stdout. */
    readonly print: (sequence: string) => string;
  };
  /** The client's own form of a reply, for stdout; without it a reply is handed over as its text, by the private exit status. */
  readonly printReply?: (text: string) => string;
  /** The client's own form of a decision, for stdout. */
  readonly print: (answer: Exclude<FinalAnswer, { type: 'reply' }>, input: Readonly<Record<string, unknown>>) => string;
}

/** How the one who answers is known. */
export interface Answerer {
  /** A person, as the way knows them. */
  readonly by: string;
  /** The way: `command line`, a channel's name, `page`. */
  readonly via: string;
}
