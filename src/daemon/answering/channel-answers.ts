// Answers through channels as the daemon builds them: which question a message carries, what people press or write, and messages that change with it.
import { agentByName } from '../../agents/index.ts';
import {
  type AnsweringService,
  createAskedQuestions,
  createInboundAnswers,
  createMadeMessages,
  createShowQuestion,
  type QuestionWrites,
  type ShowQuestion,
} from '../../answering/index.ts';
import { channelOf } from '../../channels/index.ts';
import type { InboundAnswer } from '../../model/channel/channel.ts';
import { unansweredChannels, whyUnanswered } from '../../model/channel/capabilities.ts';
import type { Config } from '../../model/settings/config.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import { COMMAND_LINE } from '../../model/notification/resolution.ts';
import type { Store } from '../../store/contract.ts';
import { carriesAnswers, createRefreshes, type RefreshDeps } from './refresh-messages.ts';

/** Answers through channels. */
export interface ChannelAnswers {
  /** What waiting hooks write their questions to. */
  readonly store: QuestionWrites;
  readonly showQuestion: ShowQuestion;
  /** Resolves with the line to show to whoever answered; null: it concerns no question. */
  readonly takeAnswer: (channel: string, answer: InboundAnswer) => Promise<string | null>;
  /** Where answers go; until it is called nobody can answer. */
  readonly handTo: (answer: AnsweringService['answer']) => void;
  /** Changes the messages of a notification by what its question is now. */
  readonly refresh: (notificationId: string) => void;
  stop(): Promise<void>;
}

/** `key`: proves that a button was made here. */
export function createChannelAnswers(
  deps: Omit<RefreshDeps, 'made'> & { readonly store: Store; readonly key: Buffer },
): ChannelAnswers {
  const { store, clock, config } = deps;
  let hand: AnsweringService['answer'] = () => Promise.reject(new UserError('Belfry is still starting', EXIT.refused));
  const made = createMadeMessages();
  const refreshes = createRefreshes({ ...deps, made });
  const questions = createAskedQuestions({ store, clock, listeners: refreshes, log: deps.log });
  return {
    store: questions.store,
    showQuestion: createShowQuestion({
      store,
      config,
      questions,
      made,
      key: deps.key,
      now: clock.now,
      answering: (agent) => agentByName(agent)?.answering,
      where: (via) => whereOf(config(), via),
      unanswered: (name) => unansweredOf(config(), name),
    }),
    takeAnswer: createInboundAnswers({
      store,
      clock,
      key: deps.key,
      log: deps.log,
      asked: questions.recent,
      answer: (given) => hand(given),
      showAgain: refreshes.again,
      mayAnswer: (channel) => carriesAnswers(config(), channel),
      unanswered: (name) => unansweredOf(config(), name),
    }),
    handTo: (answer) => {
      hand = answer;
    },
    refresh: refreshes.answered,
    stop: refreshes.stop,
  };
}

function unansweredOf(config: Config, name: string): string | null {
  const found = unansweredChannels(config, channelOf).find((one) => one.name === name);
  return found === undefined ? null : whyUnanswered(name, found.setting);
}

function whereOf({ channels }: Config, via: string): string {
  if (via === COMMAND_LINE) return 'on the command line';
  const own = channels.find(({ name }) => name === via);
  return (own && channelOf(own.type)?.answeredWhere) ?? `through ${via}`;
}
