// Asks for the channels that were picked in `setup`, one by one, as `belfry channel add` does: each ends with a test message.
import type { ChannelType } from '../../../model/channel/channel.ts';
import type { SetupAnswers } from '../../../model/channel/setup.ts';
import { UserError } from '../../../model/errors.ts';
import { completeChannel } from '../channel/add.ts';
import { isLiteralSecret } from '../channel/parse-answers.ts';
import { answered, Cancelled, type Typed } from '../channel/ask-settings.ts';
import { settingLines } from '../channel/config-text.ts';
import type { Io } from '../../io.ts';
import { wrap } from '../../output/wrap.ts';
import type { ChannelHere } from './channels-here.ts';

/** Columns before what is shown between prompts. */
const BAR = 4;

/** A channel whose test message has arrived. */
export interface AskedChannel {
  readonly channel: ChannelType;
  /** Its settings, secrets as they were typed. */
  readonly answers: SetupAnswers;
  readonly tested: number | null;
}

/** Those that work in the end; one that somebody gives up on is left out. Throws `Cancelled`; nothing is written either way. */
export async function askChannels(io: Io, picked: readonly ChannelType[]): Promise<AskedChannel[]> {
  const asked: AskedChannel[] = [];
  for (const channel of picked) {
    const done = await askUntilItWorks(io, channel);
    if (done) asked.push(done);
  }
  return asked;
}

/** As `setup` writes a channel that it found: its secrets apart. */
export function channelHereOf({ channel, answers }: AskedChannel): ChannelHere {
  const { type, docs } = channel;
  const secrets = Object.entries(answers).flatMap(([key, value]) =>
    isLiteralSecret(channel, key, value) ? [{ key, name: key === 'url' ? type : `${type}_${key}`, value }] : [],
  );
  const references = Object.fromEntries(secrets.map(({ key, name }) => [key, `secret:${name}`]));
  const lines = settingLines({ type, ...answers, ...references }).join('\n');
  return { type, summary: docs.summary, lines, secrets };
}

/** Null: the person goes on without it. */
async function askUntilItWorks(io: Io, channel: ChannelType): Promise<AskedChannel | null> {
  const { confirm, log } = await import('@clack/prompts');
  const { type, docs, setup } = channel;
  const folded = (text: string): string =>
    text
      .split('\n')
      .flatMap((line) => wrap(line, io.columns - BAR))
      .join('\n');
  const show = (line: string): void => log.message(folded(line));
  const ready = async (): Promise<void> => {
    if (!(await answered(confirm({ message: 'Send a test message now?' })))) throw new UserError('no test was sent');
  };
  const typed: Typed = { answers: {} };
  for (;;) {
    log.step(folded(`${type}: ${docs.summary}`));
    try {
      const done = await completeChannel(io, {
        channel,
        name: type,
        start: {},
        typed,
        flags: { test: true },
        show,
        interactive: true,
        ready: setup.beforeTest ? ready : null,
      });
      if (done.tested !== null) log.success(`${type}: test message delivered in ${done.tested} ms`);
      return { channel, ...done };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      if (!(error instanceof Cancelled)) log.error(folded(error.message));
    }
    if (!(await asksAgain(type))) return null;
  }
}

/** Whether the channel is asked for once more, rather than left out. Throws `Cancelled` where the person wants to stop altogether. */
async function asksAgain(type: string): Promise<boolean> {
  const { select } = await import('@clack/prompts');
  const choice = await answered(
    select<'again' | 'without' | 'stop'>({
      message: `Ask for ${type} again?`,
      options: [
        { value: 'again', label: 'Yes', hint: 'with what you typed' },
        { value: 'without', label: `No, go on without ${type}` },
        { value: 'stop', label: 'Stop here, and change nothing' },
      ],
    }),
  );
  if (choice === 'stop') throw new Cancelled();
  return choice === 'again';
}
