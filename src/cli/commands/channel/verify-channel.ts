// Before anything is written: the answers are valid, the channel's own check finds nothing wrong, and a real message goes out.
import { checkChannel } from '../../../daemon/channels/resolve-channels.ts';
import { tryChannel } from '../../../daemon/channels/try-channel.ts';
import { systemClock } from '../../../lib/clock.ts';
import type { ChannelType } from '../../../model/channel/channel.ts';
import type { SetupAnswers } from '../../../model/channel/setup.ts';
import type { Outcome } from '../../../model/delivery/delivery.ts';
import { EXIT, type ExitCode, UserError } from '../../../model/errors.ts';
import { placeOf } from '../../../model/session/place.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { AddFlags } from './add-flags.ts';
import { callerOf } from '../../daemon/caller.ts';
import type { Io } from '../../io.ts';
import { faultsOf } from './parse-answers.ts';
import { showLink } from '../../output/qr-code.ts';
import { resolveAnswers } from './resolve-secrets.ts';

/** What is to be verified, and how. */
export interface Candidate {
  readonly channel: ChannelType;
  readonly name: string;
  readonly answers: SetupAnswers;
  readonly flags: Pick<AddFlags, 'test' | 'yes'>;
  readonly show: (line: string) => void;
  /** Waits until the person is ready for the test message; null: nobody is asked. */
  readonly ready: (() => Promise<void>) | null;
}

const EXITS: Partial<Record<Extract<Outcome, { ok: false }>['reason'], ExitCode>> = {
  auth: EXIT.auth,
  'rate-limited': EXIT.rateLimited,
  quota: EXIT.rateLimited,
  server: EXIT.unreachable,
  timeout: EXIT.unreachable,
  network: EXIT.unreachable,
};

/** Checks name the file of a setting, which is not written yet while it is asked for. */
const whileAsked = (fix: string): string => fix.replaceAll('` in config.toml', '`');

/** Ms that the test message took; null: none was sent, as wished. UserError with what is wrong. */
export async function verify(
  io: Io,
  { channel, name, answers, flags, show, ready }: Candidate,
): Promise<number | null> {
  const [fault] = faultsOf(channel, answers);
  if (fault !== undefined) throw new UserError(`${fault}; nothing was changed`, EXIT.usage);
  const known = await resolveAnswers(channel, answers, io.env);
  const settings = channel.schema.safeParse(known).data ?? known; // a secret may look like no answer that can be typed
  const configured = { name, channel, settings, level: 'full' as const };
  const at = { env: io.env, platform: process.platform, stateFolder: resolveOwnPaths().state };
  const { findings } = await checkChannel(configured, { ...at, clock: systemClock, log: () => undefined });
  for (const { level, text, fix = '' } of findings) {
    if (level === 'fail') throw new UserError(`${text}: ${whileAsked(fix)}; nothing was changed`, EXIT.refused);
    if (level === 'warn') io.note(`warning: ${text}: ${whileAsked(fix)}`);
  }
  for (const line of channel.setup.beforeTest?.(known) ?? []) show(line);
  const link = channel.setup.phoneLink?.(known);
  if (link !== undefined) await showLink(io, link, show);
  if (!flags.test) return null;
  await ready?.();
  const began = performance.now();
  const outcome = await tryChannel(configured, { ...at, place: placeOf(callerOf(io.env)) });
  if (!outcome.ok)
    throw new UserError(
      `the test message failed: ${outcome.error}; nothing was changed`,
      EXITS[outcome.reason] ?? EXIT.refused,
    );
  return Math.round(performance.now() - began);
}
