// What is known of the person for a session of a machine elsewhere: as much as of the terminal here through which it is seen, and no more.
import { expect, test } from 'vitest';
import { presenceReader } from '../../../src/daemon/presence/presence.ts';
import { type Presence, UNKNOWN_PRESENCE } from '../../../src/model/presence/presence.ts';
import { type Place, UNKNOWN_PLACE } from '../../../src/model/session/place.ts';
import type { PresenceQuestion } from '../../../src/presence/ask-detectors.ts';
import type { FarTmux } from '../../../src/sources/remote/protocol.ts';
import { madeEvent } from '../../support/made.ts';

const LOOKS: Presence = {
  ...UNKNOWN_PRESENCE,
  looking: 'yes',
  idle: 'no',
  input: 5,
  evidence: 'the window is in front',
};
const HERE_PLACE: Place = { ...UNKNOWN_PLACE, windowId: '7' };

interface Case {
  readonly place?: Partial<Place> | null;
  readonly remote?: string | null;
  readonly through?: boolean;
  readonly found?: Presence;
  /** What the tmux server there says: of which pane its one terminal shows, and whether that has the focus. */
  readonly shows?: { readonly pane: string; readonly focused: boolean } | null;
}

/** As a server of 3.5 prints it, whose option focus-events was on when the terminal attached. */
function tmuxSays({ pane, focused }: NonNullable<Case['shows']>): FarTmux {
  const flags = `attached${focused ? ',focused' : ''},UTF-8`;
  const said = [
    '%1 @1 $1 100 1 1000 0',
    `200 /dev/pts/5 1700000000 1600000000 ${pane} @1 $1 ${flags} 0 256,focus,title`,
    '1600000000.1: /dev/pts/5 command: attach-session',
  ];
  return { now: 1_700_000_000_500, said: said.join('\n'), ttys: '' };
}

async function known({ place = {}, remote = 'box', through = true, found = LOOKS, shows = null }: Case) {
  const asked: PresenceQuestion[] = [];
  const presence = presenceReader({
    store: { machine: async () => null, session: async () => Promise.reject(new Error('nobody asks')) },
    now: () => 10,
    config: () => ({ presence: { looking: true, idle: 60_000 } }) as never, // all that is read
    detect: async (question) => {
      asked.push(question);
      return found;
    },
    tmuxThere: async (name) => (name === 'box' && shows !== null ? tmuxSays(shows) : null),
    seenThrough: async (connection) =>
      through && connection === '10.0.0.1 5000 10.0.0.2 22' ? { pid: 77, place: HERE_PLACE } : null,
  });
  const event = madeEvent({
    host: 'box',
    user: 'ada',
    place: place && { ...UNKNOWN_PLACE, ssh: '10.0.0.1 5000 10.0.0.2 22', ...place },
    attributes: remote === null ? {} : { remote },
  });
  return { found: await presence(event, 'away'), asked };
}

test('who looks at the terminal of the ssh looks at what runs there', async () => {
  const { found, asked } = await known({});
  expect(found).toEqual(LOOKS);
  expect(asked).toEqual([{ place: HERE_PLACE, pid: 77, looking: true, idle: 60_000, only: 'away' }]);
});

test.each<[what: string, given: Case]>([
  ['there is no such ssh', { through: false }],
  ['its hook did not run below one', { place: { ssh: null } }],
  ['its hook named no terminal', { place: null }],
  ['it is of another machine than those looked after from here', { remote: null }],
  ['it names another machine', { remote: 'other' }],
])('nothing is known where %s', async (_what, given) => {
  const { found, asked } = await known(given);
  expect([found, asked]).toEqual([UNKNOWN_PRESENCE, []]);
});

test.each<[what: string, place: Partial<Place>]>([
  ['tmux', { tmux: { socket: '/tmp/s', pane: '%1' } }],
  ['screen', { terminal: 'screen' }],
  ['zellij', { terminal: 'zellij' }],
])('within %s there nobody is known to look at it, but it is known when nobody can', async (_what, place) => {
  expect((await known({ place })).found).toMatchObject({ looking: 'unknown', idle: 'no' });
  const elsewhere = { ...LOOKS, looking: 'no' } as const;
  expect((await known({ place, found: elsewhere })).found).toEqual(elsewhere);
});

test.each<[what: string, shows: NonNullable<Case['shows']> | null, looking: Presence['looking']]>([
  ['shows the pane in the terminal that has the focus', { pane: '%1', focused: true }, 'yes'],
  ['shows the pane in a terminal without the focus', { pane: '%1', focused: false }, 'no'],
  ['shows another pane', { pane: '%2', focused: true }, 'no'],
  ['does not answer', null, 'unknown'],
])('tmux there %s', async (_what, shows, looking) => {
  const place = { tmux: { socket: '/tmp/s', pane: '%1' } };
  expect((await known({ place, shows })).found).toMatchObject({ looking, idle: 'no' });
  // Whatever it says, nobody looks who does not look at the terminal here.
  expect((await known({ place, shows, found: { ...LOOKS, looking: 'no' } })).found.looking).toBe('no');
  expect((await known({ place, shows, through: false })).found).toEqual(UNKNOWN_PRESENCE);
});
