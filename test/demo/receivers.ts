// The demo's two receivers: one that is strict like Slack, one that verifies signatures with the official library.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A delivery as a receiver took it. */
export interface Arrived {
  readonly receiver: string;
  readonly title: string;
  /** Null: accepted. */
  readonly trouble: string | null;
}

export interface Receiver {
  readonly url: string;
  readonly arrived: Arrived[];
  close(): void;
}

/** Refuses what Slack would refuse: no text, a header that is too long. */
export function slackLike(): Promise<Receiver> {
  return listen('slack', (body) => {
    const message = JSON.parse(body) as { text?: string; blocks?: unknown; attachments?: { blocks?: unknown }[] };
    const blocks = message.blocks ?? message.attachments?.[0]?.blocks;
    if (!message.text) return { title: '', trouble: 'no_text' };
    return { title: message.text.split('\n')[0] ?? '', trouble: Array.isArray(blocks) ? null : 'invalid_blocks' };
  });
}

/** Takes only what is signed with `secret`. */
export function verifying(secret: string): Promise<Receiver> {
  const webhook = new Webhook(secret);
  return listen('webhook', (body, headers) => {
    try {
      const known = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
        name,
        String(headers[name]),
      ]);
      const verified = webhook.verify(body, Object.fromEntries(known) as Record<string, string>);
      const { data } = verified as { data: { notification: { title: string } } };
      return { title: data.notification.title, trouble: null };
    } catch (error) {
      return { title: '', trouble: `signature: ${String(error)}` };
    }
  });
}

type Judge = (body: string, headers: IncomingHttpHeaders) => Omit<Arrived, 'receiver'>;

async function listen(receiver: string, judge: Judge): Promise<Receiver> {
  const arrived: Arrived[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const found = judge(body, request.headers);
      arrived.push({ receiver, ...found });
      response.writeHead(found.trouble === null ? 200 : 400).end(found.trouble ?? 'ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrived, close };
}
