// Discord's stand-in as a peer.
import { PATH, startDiscord, TOKEN } from '../../channels/discord-server.ts';
import { addressAt, json, type Peer, portOf, troubleOf } from './peer.ts';

export async function discordPeer(): Promise<Peer> {
  const { receiver, messages } = await startDiscord();
  const refusals = {
    limited: json(
      429,
      { message: 'You are being rate limited.', retry_after: 1.6, global: false },
      { 'retry-after': '2' },
    ),
    refused: json(401, { message: 'Invalid Webhook Token', code: 50_027 }),
  };
  return {
    port: portOf(receiver),
    settings: (port) => ({ url: `${addressAt(port)}${PATH}` }),
    secrets: [TOKEN],
    titles: () => [...messages.values()].map(({ embed }) => embed.title ?? ''),
    seen: () =>
      [...messages].map(([id, { embed, flags }]) => ({
        id,
        lines: [
          shown(embed.title ?? ''),
          ...shown(embed.description ?? '').split('\n'),
          ...(embed.fields ?? []).map(({ name, value }) => `${name}: ${shown(value)}`),
          embed.footer?.text ?? '',
          `(${COLOURS[embed.color ?? 0] ?? 'blue'}${flags > 0 ? ', without a sound' : ''})`,
        ].filter((line) => line !== ''),
      })),
    trouble: troubleOf(receiver, refusals, [TOKEN, PATH]),
  };
}

const COLOURS: Readonly<Record<number, string>> = { [0xd92d20]: 'red', [0x98a2b3]: 'grey' };
/** As people see Markdown in which everything is escaped. */
const shown = (text: string): string => text.replace(/\\([\\*~`|[\]<@_:#>+\-.)])/g, '$1');
