// `check`: channels and service as the daemon has them, with its environment and its secrets; nothing is sent.
import type { CheckResult } from '../../model/channel/channel.ts';
import { proxyFindings } from '../service/proxy-findings.ts';
import type { CommandHandler } from './context.ts';

/** The answer; field names are stable. */
export interface Checked {
  readonly channels: readonly { readonly name: string; readonly findings: readonly CheckResult[] }[];
  readonly proxy: readonly CheckResult[];
  readonly service: readonly CheckResult[];
}

/** Replies with the results of each. */
export const check: CommandHandler = async (_args, { deliveries, service }): Promise<Checked> => {
  const [channels, found, proxy] = await Promise.all([deliveries.check(), service.check(), proxyFindings()]);
  return { channels, proxy, service: found };
};
