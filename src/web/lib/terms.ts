// The interface's terms in words for a person, and what the page makes of them (`last-failed`, `planned`).

const STATES: Readonly<Record<string, string>> = {
  started: 'Started',
  working: 'Working',
  waiting: 'Waiting',
  background: 'In background',
  finished: 'Finished',
  failed: 'Failed',
  ended: 'Ended',
  unknown: 'Unknown',
  pending: 'Queued',
  planned: 'Planned',
  leased: 'Sending',
  sent: 'Sent',
  paused: 'Paused',
  cancelled: 'Canceled',
  superseded: 'Replaced',
  dead: 'Given up',
  open: 'Open',
  acknowledged: 'Acknowledged',
  resolved: 'Resolved',
  expired: 'Expired',
  ok: 'Healthy',
  'last-failed': 'Last delivery failed',
  failing: 'Failing',
  provisioning: 'Provisioning',
  active: 'Active',
  error: 'Failed',
  running: 'Running',
  completed: 'Done',
};

/** A state as a badge says it. */
export const stateWords = (state: string): string => STATES[state] ?? state;

/** What a state looks like: the color of its badge. */
export function toneOf(state: string): 'attention' | 'active' | 'good' | 'bad' | 'plain' {
  if (['waiting', 'open', 'paused', 'pending', 'last-failed'].includes(state)) return 'attention';
  if (['working', 'started', 'background', 'leased', 'running', 'provisioning'].includes(state)) return 'active';
  if (['finished', 'sent', 'ok', 'acknowledged', 'active', 'completed'].includes(state)) return 'good';
  return ['failed', 'dead', 'failing', 'error'].includes(state) ? 'bad' : 'plain';
}

/** The state of a delivery as the page shows it: one that is due later is planned. `due`, `now`: Unix ms. */
export const deliveryState = (state: string, due: number, now: number): string =>
  state === 'pending' && due > now ? 'planned' : state;

/** `3 sessions`, `1 session`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`;

/** As a sentence begins. */
export const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** What a channel can do, where that is seen in its messages. */
const CAN: Readonly<Record<string, string>> = {
  update: 'changes its messages',
  retract: 'removes its messages',
  thread: 'a thread for each session',
  buttons: 'takes answers',
  reply: 'takes replies',
  mirror: 'shows every session',
};

export const abilities = (can: readonly string[]): readonly string[] => can.flatMap((what) => CAN[what] ?? []);

/** What decides about an event, in words; what is not known stands for itself. */
const DECIDED_BY: Readonly<Record<string, string>> = {
  dedupe: 'Sent before',
  session: 'Its session',
  resolve: 'What it ends',
  signal: 'What it says',
  correlate: 'Known already',
  hold: 'Work goes on',
  route: 'Where it goes',
  settle: 'Short wait',
  group: 'Sent together',
  silence: 'Mutes',
  quiet: 'Quiet hours',
  schedule: 'Later',
};

export const decidedBy = (stage: string): string => DECIDED_BY[stage] ?? stage;
