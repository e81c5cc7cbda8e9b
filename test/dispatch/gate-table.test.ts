// The gate's table: what becomes of each kind of send in each kind of hold, by the real pipeline, store, gate and batch in virtual time.
import { expect, test } from 'vitest';
import { AUDIT, DESK_AND_PHONE } from '../support/people-channels.ts';
import { type Moment, play } from '../support/timeline.ts';

/**
 * goes: at its time, as it is. as one: at its time, with the others of its group. digest: in the one digest at the end. waits: until the
 * end, as it is, or "as one" with the others of its group. joins: it is in the storm's message. never: there is no such send, see below.
 *
 * A record is never reminded of anything: whoever reads it has it. What is urgent joins no group, so that two of them are single. A
 * group's end is its wait, and a storm's is two seconds; neither holds what follows a first send.
 */
const TABLE = `
                     |        people                            |        records
                     | first        step         reminder       | first        step         reminder
mute                 |                                          |
  normal, single     | digest       digest       digest         | goes         goes         never
  normal, grouped    | digest       digest       digest         | as one       as one       never
  urgent, single     | goes         goes         goes           | goes         goes         never
  urgent, grouped    | goes         goes         goes           | goes         goes         never
mute --all           |                                          |
  normal, single     | digest       digest       digest         | goes         goes         never
  normal, grouped    | digest       digest       digest         | as one       as one       never
  urgent, single     | digest       digest       digest         | goes         goes         never
  urgent, grouped    | digest       digest       digest         | goes         goes         never
quiet hours          |                                          |
  normal, single     | digest       waits        waits          | goes         goes         never
  normal, grouped    | digest       waits as one waits as one   | as one       as one       never
  urgent, single     | goes         goes         goes           | goes         goes         never
  urgent, grouped    | goes         goes         goes           | goes         goes         never
quiet, urgent held   |                                          |
  normal, single     | digest       waits        waits          | goes         goes         never
  normal, grouped    | digest       waits as one waits as one   | as one       as one       never
  urgent, single     | digest       waits        waits          | goes         goes         never
  urgent, grouped    | digest       waits        waits          | goes         goes         never
group                |                                          |
  normal, single     | waits        goes         goes           | waits        goes         never
  normal, grouped    | waits as one as one       as one         | waits as one as one       never
  urgent, single     | goes         goes         goes           | goes         goes         never
  urgent, grouped    | goes         goes         goes           | goes         goes         never
storm                |                                          |
  normal, single     | joins        goes         goes           | goes         goes         never
  normal, grouped    | as one       as one       as one         | as one       as one       never
  urgent, single     | goes         goes         goes           | goes         goes         never
  urgent, grouped    | goes         goes         goes           | goes         goes         never
outage               |                                          |
  normal, single     | digest       digest       digest         | waits        waits        never
  normal, grouped    | waits as one waits as one waits as one   | waits as one waits as one never
  urgent, single     | digest       digest       digest         | waits        waits        never
  urgent, grouped    | digest       digest       digest         | waits        waits        never
`;

const SENDS = ['first', 'step', 'reminder'] as const;
/** A channel that people look at, and one that keeps a record. */
const CHANNELS = ['desk', 'audit'] as const;
const WORDS = /goes|waits as one|waits|as one|digest|joins|never/g;

interface Cell {
  readonly hold: string;
  readonly isUrgent: boolean;
  readonly isGrouped: boolean;
  readonly channel: (typeof CHANNELS)[number];
  readonly send: (typeof SENDS)[number];
  readonly expected: string;
}

/** What the table says, cell by cell. */
function cellsOf(table: string): readonly Cell[] {
  let hold = '';
  return table.split('\n').flatMap((line): readonly Cell[] => {
    const [name = '', ...columns] = line.split('|');
    const words = columns.join(' ').match(WORDS) ?? [];
    if (/^\S/.test(name)) hold = name.trim();
    if (!/^ {2}\w/.test(name)) return [];
    const of = { hold, isUrgent: name.includes('urgent'), isGrouped: name.includes('grouped') };
    const sends = CHANNELS.flatMap((channel) => SENDS.map((send) => ({ channel, send })));
    expect(words).toHaveLength(sends.length);
    return sends.map((one, i) => ({ ...of, ...one, expected: words[i] ?? '' }));
  });
}

/** Seconds. What happens first, what a group waits, when a step or a reminder is due after the first send, and when a hold begins that is to meet these. */
const [FIRST, WAIT, AFTER, LATER] = [1, 10, 600, 300];
/** When a mute, quiet hours and an outage end. */
const [END, UP] = [1_800, 9_000];
const GROUP = `group = { by = ["kind"], wait = "${WAIT}s", every = "1m" }`;

/** In an outage of hours one reminder is due, not one every ten minutes. */
function settingsOf({ hold, isUrgent, isGrouped, channel, send }: Cell): string {
  const hours = `hours = ["${send === 'first' ? '12:00' : '12:05'}-12:30"]\nzone = "UTC"`;
  const follows = {
    first: '',
    step: `escalate = [{ after = "10m", to = ["${channel}"] }]`,
    reminder: `repeat = "${hold === 'outage' ? '2h' : '10m'}"`,
  };
  return `
${hold.startsWith('quiet') ? `[quiet]\n${hours}\nurgent = "${hold === 'quiet hours' ? 'pass' : 'hold'}"` : ''}
${DESK_AND_PHONE}${AUDIT}
[[routes]]
match = { kind = "${isUrgent ? 'session.ended' : 'agent.finished'}" }
to = ["${send === 'step' ? 'phone' : channel}"]
${isGrouped || (hold === 'group' && send === 'first') ? GROUP : ''}
${follows[send]}
[[routes]]
match = { kind = "agent.waiting" }
to = ["${channel}"]
${hold === 'group' ? GROUP : ''}
`;
}

/** The hold, and what is sent in it: of a group two of a kind; of a channel that is failing four, as few are sent one by one. */
function momentsOf({ hold, isUrgent, isGrouped, channel, send }: Cell): readonly Moment[] {
  const from = send === 'first' ? 0 : LATER;
  const count = hold === 'outage' ? 4 : isGrouped ? 2 : 1;
  const first = hold === 'storm' && send === 'first' ? FIRST + 5 : FIRST;
  const sessions = ['a', 'b', 'c', 'd'].slice(0, count);
  const notices = (at: number): readonly Moment[] =>
    Array.from({ length: 20 }, (_, i): Moment => [at + i / 5, 'notice a']);
  const begins: Readonly<Record<string, readonly Moment[]>> = {
    mute: [[from, `mute ${END - from}`]],
    'mute --all': [[from, `mute ${END - from} all`]],
    group: send === 'first' ? [] : [[FIRST + AFTER - 1, 'notice z']],
    storm: notices(send === 'first' ? 0 : FIRST + AFTER - 5),
    outage: [[from, `down ${channel}`]],
  };
  const all: readonly Moment[] = [
    ...(begins[hold] ?? []),
    ...sessions.map((session): Moment => [first, `${isUrgent ? 'end' : 'finish'} ${session}`]),
    ...(hold === 'outage' ? [[UP, `up ${channel}`] as const] : []),
  ];
  return all.toSorted(([a], [b]) => a - b);
}

/** The table's word for what its channel got. */
function wordOf({ hold, isUrgent, isGrouped, channel, send }: Cell, got: readonly string[]): string {
  const of = got.flatMap((line) => {
    const [at = '', to, operation, ...title] = line.split(' ');
    return to === channel && operation === 'send' ? [{ at: Number(at), title: title.join(' ') }] : [];
  });
  const isFollowing = ({ title }: { title: string }): boolean => /not acknowledged|While/.test(title);
  const found = of.filter((one) => !/attention/.test(one.title) && (send === 'first' || isFollowing(one)));
  // The next reminders come after it.
  const own = found.filter(({ at }) => send !== 'reminder' || at === found[0]?.at);
  const [one] = own;
  if (one === undefined) return 'never';
  const joined = isGrouped && !isUrgent;
  const first = hold === 'storm' && send === 'first' ? FIRST + 5 : FIRST;
  const groups = joined || (hold === 'group' && !isUrgent && send === 'first');
  const due = first + (groups && !(hold === 'group' && send === 'first') ? WAIT : 0) + (send === 'first' ? 0 : AFTER);
  const end = hold === 'outage' ? UP : hold === 'group' ? FIRST + WAIT : hold === 'storm' ? first + 2 : END;
  const when = one.at === due ? 'goes' : one.at === end ? 'waits' : `at ${one.at}`;
  const sessions = hold === 'outage' ? 4 : isGrouped ? 2 : 1;
  const digest =
    hold === 'outage'
      ? 'While this channel was failing'
      : hold.startsWith('mute')
        ? 'While it was muted'
        : 'While it was quiet';
  if (one.title.startsWith(`${digest}: ${sessions} `) && own.length === 1 && when === 'waits') return 'digest';
  if (/more notifications? from/.test(one.title) && own.length === 1) return 'joins';
  const isOne = new RegExp(`\\b${sessions} sessions\\b`).test(one.title);
  if (isOne && own.length === 1) return when === 'goes' ? 'as one' : `${when} as one`;
  return own.length === sessions && own.every(({ at }) => at === one.at) ? when : JSON.stringify(own);
}

for (const cell of cellsOf(TABLE)) {
  const { hold, isUrgent, isGrouped, channel, send, expected } = cell;
  const name = `${isUrgent ? 'urgent' : 'normal'}, ${isGrouped ? 'grouped' : 'single'}, ${send} to ${channel}: ${expected}`;
  test(`${hold}: ${name}`, async () => {
    const got = await play(settingsOf(cell), momentsOf(cell), (hold === 'outage' ? UP : END) + 60);
    expect(wordOf(cell, got), got.join('\n')).toBe(expected);
  });
}

const BESIDE: readonly (readonly [
  name: string,
  settings: string,
  moments: readonly Moment[],
  end: number,
  expected: readonly string[],
])[] = [
  [
    'a question in a storm goes at its time, whole',
    `${DESK_AND_PHONE}[[routes]]\nto = ["desk"]`,
    [...Array.from({ length: 21 }, (_, i): Moment => [i / 5, 'notice a']), [5, 'ask a']],
    60,
    [
      '5 desk send payments: Claude needs permission to run Bash',
      '6 desk send payments: 1 more notification from Claude',
    ],
  ],
  [
    'a step in quiet hours is in the digest of its channel, where that tells the same',
    `[quiet]\nhours = ["12:00-12:30"]\nzone = "UTC"\nchannels = ["desk"]
${DESK_AND_PHONE}[[routes]]\nto = ["desk", "phone"]\nescalate = [{ after = "10m", to = ["desk"] }]`,
    [[1, 'ask a']],
    1_860,
    [
      '1 phone send payments: Claude needs permission to run Bash',
      '1800 desk send While it was quiet: 1 still waiting',
    ],
  ],
  [
    'three that wait for a failing channel come one by one',
    `${DESK_AND_PHONE}[[routes]]\nto = ["desk"]`,
    [
      [0, 'down desk'],
      [1, 'finish a'],
      [1, 'finish b'],
      [1, 'finish c'],
      [UP, 'up desk'],
    ],
    UP + 60,
    Array.from({ length: 3 }, () => `${UP} desk send payments: Claude finished`),
  ],
  [
    'four that wait for less than an hour too',
    `${DESK_AND_PHONE}[[routes]]\nto = ["desk"]`,
    [
      [0, 'down desk'],
      [1, 'finish a'],
      [1, 'finish b'],
      [1, 'finish c'],
      [1, 'finish d'],
      [3_000, 'up desk'],
    ],
    3_060,
    Array.from({ length: 4 }, () => '3000 desk send payments: Claude finished'),
  ],
];

for (const [name, settings, moments, end, expected] of BESIDE)
  test(name, async () => {
    const got = await play(settings, moments, end);
    expect(got.filter((line) => !line.includes('attention'))).toEqual(expected);
  });
