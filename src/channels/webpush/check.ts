// Checks Web Push without sending: whether there are browsers, and whether their push services may be sent to.
import { checkUrl } from '../../lib/net/check-url.ts';
import type { ChannelTools, CheckResult, SendContext } from '../../model/channel/channel.ts';
import { readBrowsers } from './browser-file.ts';
import { NO_BROWSER, UNREADABLE, type WebPushSettings } from './settings.ts';

/** What is wrong. */
export async function checkWebPush(
  { allow_private: allowPrivate }: WebPushSettings,
  { stateFolder, signal }: ChannelTools & Pick<SendContext, 'signal'>,
): Promise<readonly CheckResult[]> {
  const file = await readBrowsers(stateFolder).catch(() => 'unreadable' as const);
  if (file === 'unreadable') return [failed(UNREADABLE)];
  if (file === null || file.browsers.length === 0) return [failed(NO_BROWSER)];
  const services = [...new Set(file.browsers.map(({ endpoint }) => new URL(endpoint).origin))];
  const again = 'the subscription: switch notifications off and on again on the page in that browser';
  const found = await Promise.all(services.map((service) => checkUrl(service, allowPrivate, signal, again)));
  const faults = found.flat().filter(({ level }) => level !== 'ok');
  const count = file.browsers.length;
  return [{ level: 'ok', text: `${count} browser${count === 1 ? ' is' : 's are'} subscribed` }, ...faults];
}

function failed(words: string): CheckResult {
  const [text, fix] = words.split(': ') as [string, string];
  return { level: 'fail', text, fix };
}
