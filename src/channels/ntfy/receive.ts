// Hands over what the buttons write to the topic for answers: docs.ntfy.sh, "Subscribe via API", WebSockets.
import { WebSocket } from 'ws';
import * as z from 'zod';
import { sleep, systemClock } from '../../lib/clock.ts';
import { parseJson } from '../../lib/json/json.ts';
import { webSocketAgent } from '../../lib/net/http-connections.ts';
import { guardedLookup, parseOutboundUrl } from '../../lib/net/outbound-url.ts';
import { ProxyError } from '../../lib/net/proxy.ts';
import type { ReceiveOptions } from '../../model/channel/channel.ts';
import { authorization } from './credentials.ts';
import { isTopic, type NtfySettings } from './settings.ts';

/** Ms before the next try after a fault: doubled each time up to the longest. */
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 60_000;
/** A connection that lasted so long was a good one, ms. */
const GOOD = 30_000;
/** Ms until it is connected, and between two looks at whether anything was heard: the server speaks every 45 s. */
const HANDSHAKE = 15_000;
const PULSE = 120_000;
const LARGEST_FRAME = 64 * 1024;
/** Answers that are dealt with at once; more are a flood, and are let go. */
const MAX_ANSWERS = 20;
/** ntfy does not say who pressed. */
const SOMEBODY = { id: 'ntfy', name: 'somebody' };

const messageSchema = z.object({
  event: z.literal('message'),
  id: z.string().regex(/^[\w-]{1,64}$/),
  message: z.string().max(200),
});

/** Where buttons write to; null: nowhere. */
export function answerUrl({ server, answer_topic: topic }: NtfySettings): string | null {
  return topic === undefined || !isTopic(topic) ? null : `${server}/${topic}`;
}

/** Ends when the signal fires, and where nothing may be connected to. */
export async function receiveAnswers(settings: NtfySettings, options: ReceiveOptions): Promise<void> {
  const { signal, now, log } = options;
  const url = answerUrl(settings);
  if (url === null) return log('ntfy: `answer_topic` is no topic, so nobody can answer');
  const target = parseOutboundUrl(url, settings.allow_private);
  if (typeof target === 'string') return log('ntfy: cannot receive answers', { error: target });
  /** What was written while the connection was down is fetched by it. */
  let since = String(Math.floor(now() / 1_000));
  let faults = 0;
  while (!signal.aborted) {
    const began = now();
    const why = await listen(`${url.replace(/^http/, 'ws')}/ws?since=${since}`, settings, {
      ...options,
      taken: (id) => {
        since = id;
      },
    });
    if (signal.aborted) return;
    if (now() - began >= GOOD) faults = 0;
    if (faults++ > 0) log('ntfy: cannot receive answers', { error: why });
    const pause = Math.min(FIRST_WAIT * 2 ** Math.min(faults - 1, 10), LONGEST_WAIT) * (0.8 + 0.4 * Math.random());
    await sleep(pause, systemClock, signal);
  }
}

/** One connection; resolves with why it ended. Never rejects. */
function listen(
  address: string,
  settings: NtfySettings,
  { on, signal, now, log, taken }: ReceiveOptions & { readonly taken: (id: string) => void },
): Promise<string> {
  const agent = webSocketAgent(address, settings.allow_private);
  if (typeof agent === 'string') return Promise.resolve(agent);
  return new Promise((resolve) => {
    const socket = new WebSocket(address, {
      handshakeTimeout: HANDSHAKE,
      followRedirects: false,
      maxPayload: LARGEST_FRAME,
      perMessageDeflate: false,
      lookup: guardedLookup(settings.allow_private),
      agent,
      headers: authorization(settings),
    });
    let why = 'the connection was closed';
    let heard = true;
    let underWay = 0;
    const close = (): void => socket.terminate();
    const pulse = setInterval(() => {
      if (!heard) close();
      heard = false;
    }, PULSE);
    signal.addEventListener('abort', close, { once: true });
    socket.on('error', (error) => {
      const isPlain = error instanceof ProxyError || error.message.startsWith('Unexpected server response');
      why = isPlain ? error.message : 'the connection failed';
    });
    socket.on('close', () => {
      clearInterval(pulse);
      signal.removeEventListener('abort', close);
      resolve(why);
    });
    socket.on('message', (data, isBinary) => {
      heard = true;
      const { data: message } = messageSchema.safeParse(isBinary ? null : parseJson(String(data)));
      if (!message) return;
      taken(message.id);
      if (underWay >= MAX_ANSWERS) return;
      underWay++;
      void on({ reference: message.message.trim(), replyTo: null, text: null, by: SOMEBODY, at: now() })
        .catch((error: unknown) => log('ntfy: an answer could not be taken', { error: String(error) }))
        .finally(() => underWay--);
    });
  });
}
