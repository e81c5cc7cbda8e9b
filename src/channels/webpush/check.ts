// Checks Web Push without sending: whether there are browsers, and whether their push services may be sent to.
import { checkUrl } from '../../lib/check-url.ts';
import type { ChannelTools, CheckResult, SendContext } from '../../model/channel.ts';
import { readBrowsers } from './browser-file.ts';
import { NO_BROWSER, type WebPushSettings } from './settings.ts';

/** What is wrong. */
export async function checkWebPush(
  { allow_private: allowPrivate }: WebPushSettings,
  { stateFolder, signal }: ChannelTools & Pick<SendContext, 'signal'>,
): Promise<readonly CheckResult[]> {
  const [none, fix] = NO_BROWSER.split(': ') as [string, string];
  const file = await readBrowsers(stateFolder).catch(() => 'unreadable' as const);
  if (file === 'unreadable')
    return [{ level: 'fail', text: 'browsers.json in the state folder cannot be read', fix: `remove it, then ${fix}` }];
  if (file === null || file.browsers.length === 0) return [{ level: 'fail', text: none, fix }];
  const services = [...new Set(file.browsers.map(({ endpoint }) => new URL(endpoint).origin))];
  const found = await Promise.all(services.map((service) => checkUrl(service, allowPrivate, signal)));
  const faults = found.flat().filter(({ level }) => level !== 'ok');
  const count = file.browsers.length;
  return [{ level: 'ok', text: `${count} browser${count === 1 ? ' is' : 's are'} subscribed` }, ...faults];
}
