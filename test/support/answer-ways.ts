// Ways to answer a question from a channel, each against its own strict server: what people see there, press and write.
import { startNtfyWay } from './answer-ways-ntfy.ts';
import { startSlackWay } from './answer-ways-slack.ts';
import { startTelegramWay } from './answer-ways-telegram.ts';

/** A message as people see it. */
export interface SeenMessage {
  readonly text: string;
  readonly buttons: readonly { readonly label: string; readonly value: string }[];
}

/** One channel, named phone in the settings. */
export interface AnswerWay {
  /** Below [channels.phone]. */
  readonly lines: string;
  /** Who presses, as the agent's side knows them. */
  readonly person: string;
  /** How it is said where they were. */
  readonly where: string;
  /** Of a message that is over: false where it is taken away instead. */
  readonly keepsMessages: boolean;
  readonly isListening: () => boolean;
  /** The messages that are there now, oldest first. */
  readonly shown: () => readonly SeenMessage[];
  /** Presses what carries this value; false: somebody who may not. */
  readonly press: (value: string, allowed?: boolean) => Promise<void>;
  /** Writes a reply to the message with this number; null: nothing can be written. */
  readonly reply: ((index: number, text: string, allowed?: boolean) => Promise<void>) | null;
  /** Lines that people were shown; null: none can be. */
  readonly lineTo: (() => readonly string[]) | null;
}

/** By the channel's type. */
export const ANSWER_WAYS: Readonly<Record<string, () => Promise<AnswerWay>>> = {
  telegram: startTelegramWay,
  'slack-app': startSlackWay,
  ntfy: startNtfyWay,
};
