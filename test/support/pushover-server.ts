// Pushover on a free port, as strict as the real one: pushover.net/api, "Pushing Messages", "Message Priority", "Receipts and Callbacks", "Limitations".
import { type Answer, type Receiver, startReceiver } from './receiver.ts';

export const TOKEN = 'azGDORePK8gMaC0QOYAMyEEuzJnyUi';
export const USER = 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG';

/** What phones were sent. */
export interface Pushed {
  readonly title: string;
  readonly message: string;
  readonly priority: number;
  readonly receipt: string | null;
}

/** How an emergency stands. */
interface Alarm {
  acknowledgedBy: string | null;
  cancelled: boolean;
  looks: number[];
}

export interface PushoverServer extends Receiver {
  readonly pushed: Pushed[];
  readonly alarms: Map<string, Alarm>;
}

const KEYS = ['token', 'user', 'title', 'message', 'timestamp', 'priority', 'retry', 'expire'];

const said = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({ request: '647d2300-702c-4b38-8b2f-d56326ae460b', ...body }),
});
const refused = (errors: string, more: object = {}): Answer => said(400, { status: 0, errors: [errors], ...more });

/** What it answers when it accepts. */
export const pushoverAccepts: Answer = said(200, { status: 1 });

/** What is wrong with a message; null: nothing. */
function faultOf(form: URLSearchParams): string | null {
  const unknown = [...form.keys()].find((key) => !KEYS.includes(key));
  const [title = '', message = ''] = [form.get('title') ?? '', form.get('message') ?? ''];
  const number = (key: string): number => Number(form.get(key) ?? Number.NaN);
  if (unknown !== undefined) return `${unknown} is not known`;
  if (message.trim() === '') return 'message cannot be blank';
  if ([...message].length > 1_024 || [...title].length > 250) return 'message is too long';
  if (!Number.isInteger(number('timestamp')) || number('timestamp') < 1) return 'timestamp is invalid';
  if (![-2, -1, 0, 1, 2].includes(number('priority'))) return 'priority is invalid';
  if (number('priority') !== 2) return form.has('retry') || form.has('expire') ? 'retry without emergency' : null;
  if (!(number('retry') >= 30)) return 'retry must be at least 30';
  return number('expire') <= 10_800 ? null : 'expire must be at most 10800';
}

export async function startPushover(): Promise<PushoverServer> {
  const receiver = await startReceiver();
  const pushed: Pushed[] = [];
  const alarms = new Map<string, Alarm>();

  function push(form: URLSearchParams): Answer {
    const fault = faultOf(form);
    if (fault !== null) return refused(fault);
    const priority = Number(form.get('priority'));
    const receipt = priority === 2 ? `r${String(alarms.size + 1).padStart(29, '0')}` : null;
    if (receipt !== null) alarms.set(receipt, { acknowledgedBy: null, cancelled: false, looks: [] });
    pushed.push({ title: form.get('title') ?? '', message: form.get('message') ?? '', priority, receipt });
    return said(200, { status: 1, ...(receipt === null ? {} : { receipt }) });
  }

  function look(alarm: Alarm): Answer {
    alarm.looks.push(Date.now());
    const acknowledged = alarm.acknowledgedBy === null ? 0 : 1;
    const by = { acknowledged_by: USER, acknowledged_by_device: alarm.acknowledgedBy ?? '' };
    return said(200, { status: 1, acknowledged, ...by, expired: alarm.cancelled ? 1 : 0 });
  }

  receiver.answer = ({ method, path, headers, body }) => {
    const url = new URL(path, receiver.url);
    const form = method === 'GET' ? url.searchParams : new URLSearchParams(body);
    if (method === 'POST' && headers['content-type'] !== 'application/x-www-form-urlencoded') return refused('no form');
    if (form.get('token') !== TOKEN) return refused('application token is invalid', { token: 'invalid' });
    const [, id = '', cancels] = /^\/1\/receipts\/(\w{30})(\/cancel)?\.json$/.exec(url.pathname) ?? [];
    const alarm = alarms.get(id);
    if (id !== '' && alarm === undefined)
      return said(404, { status: 0, receipt: 'not found', errors: ['receipt not found'] });
    if (alarm !== undefined && cancels === undefined && method === 'GET') return look(alarm);
    if (alarm !== undefined && cancels !== undefined && method === 'POST') {
      alarm.cancelled = true;
      return said(200, { status: 1 });
    }
    if (form.get('user') !== USER) return refused('user key is invalid', { user: 'invalid' });
    if (method === 'POST' && url.pathname === '/1/users/validate.json')
      return said(200, { status: 1, devices: ['phone'] });
    return method === 'POST' && url.pathname === '/1/messages.json' ? push(form) : { status: 404 };
  };
  return Object.assign(receiver, { pushed, alarms });
}
