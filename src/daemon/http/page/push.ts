// Browsers that take notifications, for the page and its worker.
import { channels, channelOf } from '../../../channels/index.ts';
import { Refusal } from '../../../http/api/refusal.ts';
import type { Handlers } from '../../../http/api/routes.ts';
import type { Browsers } from '../../../model/channel/browsers.ts';
import type { CommandContext } from '../../commands/context.ts';
import type { PageTokens } from './page-tokens.ts';

type Named = 'push.get' | 'push.subscribe' | 'push.unsubscribe' | 'push.press';

/** Nothing of the channel is loaded before it is asked for. */
export function pushHandlers(
  { liveConfig, folder }: CommandContext,
  pageTokens: Pick<PageTokens, 'setOwns'>,
): Pick<Handlers, Named> {
  return {
    'push.get': async () => {
      const { type, browsers } = await sender();
      return {
        command: `belfry channel add ${type}`,
        public_key: await browsers.publicKey(folder),
        browsers: await browsers.count(folder),
        channels: liveConfig
          .config()
          .channels.filter(({ type }) => channelOf(type)?.browsers)
          .map(({ name }) => name),
      };
    },
    'push.subscribe': async ({ body }, { token }) => {
      const browsers = await browsersHere();
      const owner = token?.id ?? '';
      await pageTokens.setOwns(owner, true);
      if (!(await browsers.add(folder, body, owner)))
        throw new Refusal(409, 'there are as many browsers as there may be: stop notifying in another one first');
      return { browsers: await browsers.count(folder) };
    },
    'push.unsubscribe': async ({ body }) => ({ removed: await (await browsersHere()).remove(folder, body.endpoint) }),
    'push.press': async ({ body }) => {
      const text = await (await browsersHere()).pressed(folder, body);
      if (text === null)
        throw new Refusal(403, 'this browser takes no notifications of this Belfry any more: open the page to answer');
      return { text };
    },
  };
}

const browsersHere = async (): Promise<Browsers> => (await sender()).browsers;

/** The type of channel that sends to browsers, and what it keeps of them. */
async function sender(): Promise<{ readonly type: string; readonly browsers: Browsers }> {
  for (const { type, browsers } of channels) if (browsers) return { type, browsers: await browsers() };
  throw new Refusal(404, 'no channel sends to browsers');
}
