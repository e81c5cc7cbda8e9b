// A Discord webhook on a free port, as strict as the real one: docs.discord.com, "Webhook Resource" (Execute, Edit and Delete Webhook Message),
// "Embed Limits", "Allowed Mentions", "Rate Limits" and "JSON Error Codes". What those pages refuse is refused with their code.
import { type Answer, type Received, startReceiver } from '../support/receiver.ts';

export const PATH =
  '/api/webhooks/1290000000000000001/aZ09-_aZ09-_aZ09-_aZ09-_aZ09-_aZ09-_aZ09-_aZ09-_aZ09-_aZ09-_aZ09-';
export const TOKEN = PATH.split('/').at(-1) ?? '';

export interface Embed {
  readonly title?: string;
  readonly description?: string;
  readonly color?: number;
  readonly timestamp?: string;
  readonly footer?: { readonly text: string };
  readonly fields?: readonly { readonly name: string; readonly value: string }[];
}

/** One message that people see. */
export interface Shown {
  embed: Embed;
  readonly flags: number;
  /** Of the channel, or of a thread. */
  readonly place: string;
}

const CHANNEL = '1290000000000000009';
const KEYS = ['embeds', 'allowed_mentions', 'flags', 'thread_name'];
const LENGTHS = { title: 256, description: 4_096, name: 256, value: 1_024, text: 2_048 } as const;

const error = (status: number, code: number, message: string): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message, code }),
});
const json = (value: unknown, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/** `forum`: its channel is one, so that each message needs a thread. */
export async function startDiscord({ forum = false } = {}) {
  const receiver = await startReceiver();
  const messages = new Map<string, Shown>();
  const threads = new Map<string, string>();
  const scripted: Answer[] = [];
  let next = 1_290_000_000_000_001_000n;
  const newId = (): string => String(next++);

  function create(url: URL, body: Record<string, unknown>): Answer {
    const thread = url.searchParams.get('thread_id');
    const name = body['thread_name'];
    if (url.searchParams.get('wait') !== 'true') return { status: 204 };
    if (thread !== null && name !== undefined)
      return error(400, 220_002, 'Cannot have both a thread_name and thread_id');
    if (thread !== null && !threads.has(thread)) return error(404, 10_003, 'Unknown Channel');
    if (forum && thread === null && name === undefined)
      return error(400, 220_001, 'Must have a thread_name or thread_id');
    if (!forum && name !== undefined) return error(400, 220_003, 'Webhooks can only create threads in forum channels');
    if (name !== undefined && (typeof name !== 'string' || name.length < 1 || name.length > 100))
      return invalid('thread_name');
    const place = thread ?? (name === undefined ? CHANNEL : newId());
    if (name !== undefined) threads.set(place, String(name));
    const id = newId();
    const [embed] = body['embeds'] as [Embed];
    messages.set(id, { embed, flags: Number(body['flags'] ?? 0), place });
    return json({ id, channel_id: place, embeds: [embed] });
  }

  function change(id: string, url: URL, body: Record<string, unknown> | null): Answer {
    const message = messages.get(id);
    const place = url.searchParams.get('thread_id') ?? CHANNEL;
    if (place !== CHANNEL && !threads.has(place)) return error(404, 10_003, 'Unknown Channel');
    if (!message || message.place !== place) return error(404, 10_008, 'Unknown Message');
    if (body === null) {
      messages.delete(id);
      return { status: 204 };
    }
    message.embed = (body['embeds'] as [Embed])[0];
    return json({ id, channel_id: place });
  }

  receiver.answer = (request) => {
    const waiting = scripted.shift();
    if (waiting !== undefined) return waiting;
    const url = new URL(request.path, receiver.url);
    if (!url.pathname.startsWith('/api/webhooks/')) return error(404, 0, '404: Not Found');
    if (!url.pathname.startsWith(PATH)) return error(404, 10_015, 'Unknown Webhook');
    const [, id] = /^\/messages\/(\d+)$/.exec(url.pathname.slice(PATH.length)) ?? [];
    if (request.method === 'DELETE' && id !== undefined) return change(id, url, null);
    const body = refusalOf(request);
    if (typeof body === 'string') return invalid(body);
    if (request.method === 'PATCH' && id !== undefined) return change(id, url, body);
    return request.method === 'POST' && url.pathname === PATH
      ? create(url, body)
      : error(405, 0, '405: Method Not Allowed');
  };
  return { receiver, url: `${receiver.url}${PATH}`, messages, threads, scripted };
}

function invalid(field: string): Answer {
  return error(400, 50_035, `Invalid Form Body: ${field}`);
}

/** The body, or the field that is wrong in it. */
function refusalOf({ headers, body }: Received): Record<string, unknown> | string {
  if (!/^application\/json/.test(headers['content-type'] ?? '')) return 'content-type';
  const read = JSON.parse(body) as Record<string, unknown>;
  const unknown = Object.keys(read).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) return unknown;
  if (JSON.stringify(read['allowed_mentions']) !== '{"parse":[]}') return 'allowed_mentions';
  if (![undefined, 4_096].includes(read['flags'] as number | undefined)) return 'flags';
  const embeds = read['embeds'];
  if (!Array.isArray(embeds) || embeds.length !== 1) return 'embeds';
  const { title, description, footer, fields = [], timestamp = '', color } = embeds[0] as Embed;
  const texts = [
    ['title', title ?? ''],
    ['description', description ?? ' '],
    ['text', footer?.text ?? ' '],
    ...fields.flatMap(({ name, value }) => [['name', name] as const, ['value', value] as const]),
  ] as const;
  for (const [kind, text] of texts) if (text === '' || text.length > LENGTHS[kind]) return `embeds[0].${kind}`;
  if (texts.reduce((sum, [, text]) => sum + text.length, 0) > 6_000) return 'embeds[0]';
  if (fields.length > 25) return 'embeds[0].fields';
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(timestamp)) return 'embeds[0].timestamp';
  return Number.isInteger(color) && Number(color) >= 0 && Number(color) <= 0xffffff ? read : 'embeds[0].color';
}
