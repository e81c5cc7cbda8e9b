// Checks an MQTT channel without publishing: the address, and whether the broker lets it in.
import { checkUrl } from '../../lib/net/check-url.ts';
import type { ChannelTools, CheckResult, SendContext } from '../../model/channel/channel.ts';
import { asWebAddress, brokerFault } from './address.ts';
import { Broker } from './broker.ts';
import type { MqttSettings } from './settings.ts';

/** What is wrong. */
export async function checkMqtt(
  settings: MqttSettings,
  tools: ChannelTools & Pick<SendContext, 'signal'>,
): Promise<readonly CheckResult[]> {
  const fault = brokerFault(settings.url);
  if (fault !== null) return [{ level: 'fail', text: fault, fix: 'correct `url` in config.toml' }];
  const secure = asWebAddress(settings.url).replace(/^http:/i, 'https:'); // what is not encrypted is said below
  const address = await checkUrl(secure, settings.allow_private, tools.signal, '`url` in config.toml');
  if (address.some(({ level }) => level === 'fail')) return address;
  const broker = new Broker(settings, tools);
  const found = await broker.connection();
  await broker.close();
  const { host } = new URL(asWebAddress(settings.url));
  if (!found.ok) {
    const fix =
      found.reason === 'auth'
        ? 'correct `user` and `password`'
        : 'check `url` in config.toml, the network and the broker';
    return [{ level: 'fail', text: found.error, fix }];
  }
  const welcome: CheckResult = { level: 'ok', text: `${host} accepts the connection` };
  const isPlain = /^mqtt:/i.test(settings.url.trim());
  if (!isPlain || settings.allow_private) return [welcome];
  return [
    welcome,
    { level: 'warn', text: 'events and states of sessions are sent unencrypted', fix: 'use an mqtts:// address' },
  ];
}
