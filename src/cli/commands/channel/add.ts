// `belfry channel add TYPE`: asks, pairs, checks and sends a test; only when that has worked are secrets stored and config.toml changed.
import { channelOf } from '../../../channels/index.ts';
import { applyProxy } from '../../../config/proxy-setting.ts';
import type { ChannelType } from '../../../model/channel/channel.ts';
import type { SetupAnswers } from '../../../model/channel/setup.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { AddFlags } from './add-flags.ts';
import type { Io } from '../../io.ts';
import { showLink } from '../../output/qr-code.ts';
import { withPrivateAllowed } from './allow-private.ts';
import { openQuestions, settingValue } from './parse-answers.ts';
import { answered, askQuestions, type Typed } from './ask-settings.ts';
import { givenAnswers } from './answers-given.ts';
import { configBefore } from './config-before.ts';
import { type Candidate, verify } from './verify-channel.ts';
import { pairedSettings } from './pair.ts';
import { reportChannel } from './report.ts';
import { writeChannel } from './write-channel.ts';

/** Adds it, or changes the one of that name. UserError for all expected trouble; then nothing has changed. */
export async function add(io: Io, type: string, flags: AddFlags): Promise<void> {
  const channel = channelOf(type);
  if (!channel) throw new UserError(`no channel of type "${type}"`, EXIT.usage); // the parser knows the types
  const name = flags.name ?? type;
  if (name.trim() === '' || name.length > 100 || /\p{Cc}/u.test(name))
    throw new UserError('--name needs a name of at most 100 characters on one line', EXIT.usage);
  const paths = resolveOwnPaths();
  const before = await configBefore(paths, name, type);
  await applyProxy(before.config, io.env);
  const interactive = flags.yes === undefined && io.tty && process.stdin.isTTY === true && !io.json;
  const given = await givenAnswers(channel, {}, flags.set ?? []);
  const start =
    interactive && before.channel !== null
      ? await reviewed(channel, name, before.channel, given)
      : { ...before.channel, ...given };
  // Whatever a person has to read goes beside the output.
  const show = io.json || !interactive ? io.note : io.line;
  const done = await completeChannel(io, {
    channel,
    name,
    start,
    flags,
    show,
    interactive,
    ready: interactive ? readyForTest : null,
  });
  const verified = { channel, name, ...done, before, flags, interactive };
  reportChannel(io, paths, verified, await writeChannel(io, paths, verified));
}

/** A channel to be asked for and verified. */
export interface ChannelToComplete extends Omit<Candidate, 'answers'> {
  /** What is known already. */
  readonly start: SetupAnswers;
  readonly interactive: boolean;
  /** What was typed in earlier tries, and is in this one. */
  readonly typed?: Typed;
}

/** Its settings, and how long the test message took, ms. UserError where it does not work; nothing is written either way. */
export async function completeChannel(
  io: Io,
  { start, interactive, typed, ...candidate }: ChannelToComplete,
): Promise<{ readonly answers: SetupAnswers; readonly tested: number | null }> {
  const { channel, show, flags } = candidate;
  const shows = { show, showLink: (link: string) => showLink(io, link, show) };
  const yes = flags.yes === true;
  if (interactive) for (const line of channel.setup.intro) show(line);
  const complete = interactive ? await askQuestions(channel, start, typed) : suggested(channel, start, yes);
  const given = await withPrivateAllowed(complete, channel.setup, { interactive, yes, show });
  const answers = await pairedSettings(channel, given, { paths: resolveOwnPaths(), env: io.env }, shows);
  return { answers, tested: await verify(io, { ...candidate, answers }) };
}

async function readyForTest(): Promise<void> {
  const { confirm } = await import('@clack/prompts');
  if (!(await answered(confirm({ message: 'Send a test message now?' }))))
    throw new UserError('cancelled; nothing was changed (--no-test adds a channel without a test)');
}

/** The settings to begin with where a channel is there: all of them, or those that no question asks for. */
async function reviewed(
  channel: ChannelType,
  name: string,
  before: SetupAnswers,
  given: SetupAnswers,
): Promise<SetupAnswers> {
  const { confirm } = await import('@clack/prompts');
  const again = await answered(
    confirm({
      message: `[channels.${name}] exists. Ask for its settings again? (--name adds another channel)`,
      initialValue: false,
    }),
  );
  const asked = [...channel.setup.questions.map(({ key }) => key), ...(channel.setup.pairing?.finds ?? [])];
  const kept = Object.entries(before).filter(([key]) => !again || !asked.includes(key));
  return { ...Object.fromEntries(kept), ...given };
}

/** Without anybody to ask: what is suggested, for what has to be answered. */
function suggested(channel: ChannelType, start: SetupAnswers, yes: boolean): SetupAnswers {
  let answers = start;
  const missing: string[] = [];
  for (const { key, optional, suggest } of channel.setup.questions) {
    const isOpen = openQuestions(channel, answers).some((question) => question.key === key);
    if (!isOpen || optional) continue;
    const read = suggest ? settingValue(channel, answers, key, suggest()) : { error: '' };
    if ('error' in read) missing.push(key);
    else answers = { ...answers, [key]: read.value };
  }
  if (missing.length === 0) return answers;
  const flags = missing.map((key) => `--set ${key}=...`).join(' ');
  const why = yes ? '--yes asks nothing' : 'there is no terminal to ask on';
  const help = `\`belfry channel add ${channel.type} --help\` explains them`;
  throw new UserError(`${why}: add ${flags}; ${help} (nothing was changed)`, EXIT.usage);
}
