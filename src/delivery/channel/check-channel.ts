// Runs a channel's own check, for doctor.
import type { Clock } from '../../lib/clock.ts';
import type { ChannelTools, CheckResult } from '../../model/channel/channel.ts';
import type { ConfiguredChannel } from './configured-channel.ts';
import { errorMessage } from '../../lib/text/error-message.ts';

/** What one channel found. */
export interface ChannelFindings {
  readonly name: string;
  readonly findings: readonly CheckResult[];
}

/** Longest check of a channel, ms. */
const LIMIT = 8_000;

/** Never throws: a check that fails or times out is a finding. */
export async function checkChannel(
  { name, channel, settings }: ConfiguredChannel,
  at: Omit<ChannelTools, 'now'> & { readonly clock: Clock },
): Promise<ChannelFindings> {
  const { env, platform, log, stateFolder, clock } = at;
  const control = new AbortController();
  const failed = (text: string): ChannelFindings => ({
    name,
    findings: [{ level: 'fail', text, fix: `run \`belfry test ${name}\`` }],
  });
  let cancel = (): void => undefined;
  const late = new Promise<ChannelFindings>((resolve) => {
    cancel = clock.setTimer(LIMIT, () => {
      control.abort();
      resolve(failed(`the check took longer than ${LIMIT / 1000} s`));
    });
  });
  const look = async (): Promise<ChannelFindings> => {
    const tools = { signal: control.signal, now: clock.now, env, platform, log, stateFolder };
    const findings = await channel.check(settings, tools);
    return { name, findings: findings.map((finding) => withCommand(finding, name, channel.type)) };
  };
  try {
    return await Promise.race([look(), late]);
  } catch (error) {
    return failed(`the check broke: ${errorMessage(error)}`);
  } finally {
    cancel();
  }
}

/** Commands in what a channel advises name the channel as config.toml has it. */
function withCommand(finding: CheckResult, name: string, type: string): CheckResult {
  if (finding.fix === undefined) return finding;
  const command = `belfry channel add ${type}${name === type ? '' : ` --name ${name}`}`;
  return { ...finding, fix: finding.fix.replaceAll('`belfry channel add`', `\`${command}\``) };
}
