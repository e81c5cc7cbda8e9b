// Telegram's stand-in as a peer.
import { startTelegramServer, TOKEN } from '../telegram-server.ts';
import { addressAt, firstLine, json, type Peer, portOf, troubleOf } from './peer.ts';

export async function telegramPeer(): Promise<Peer> {
  const server = await startTelegramServer();
  const refusal = (code: number, description: string, parameters?: object) =>
    json(code, { ok: false, error_code: code, description, ...(parameters === undefined ? {} : { parameters }) });
  const refusals = {
    limited: refusal(429, 'Too Many Requests: retry after 2', { retry_after: 2 }),
    refused: refusal(401, 'Unauthorized'),
  };
  return {
    port: portOf(server),
    settings: (port) => ({ api_url: addressAt(port), token: TOKEN, chat: 7, allow: [42] }),
    secrets: [TOKEN],
    titles: () => server.shown.map(({ text }) => firstLine(text)),
    seen: () =>
      server.shown
        .filter(({ deleted }) => !deleted)
        .map(({ id, text, buttons, silent }) => ({
          id: String(id),
          lines: [...text.split('\n'), ...buttons.map(() => '[Got it]'), ...(silent ? ['(without a sound)'] : [])],
        })),
    trouble: troubleOf(server, refusals, [TOKEN]),
  };
}
