// What doctor says of machines elsewhere, by how each is.
import { expect, test } from 'vitest';
import { resultOf } from '../../../src/cli/doctor/remotes.ts';
import type { RemoteStatus } from '../../../src/model/remote-status.ts';
import { NOON } from '../../support/made.ts';

const status = (more: Partial<RemoteStatus>): RemoteStatus => ({
  name: 'box',
  state: 'connected',
  since: NOON,
  reason: null,
  detail: null,
  noise: [],
  roundTrip: 12,
  hello: null,
  lastEvent: null,
  trouble: null,
  ...more,
});

test.each<[string, Partial<RemoteStatus>, string, RegExp]>([
  ['connected', {}, 'ok', /^box: connected since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, round trip 12 ms$/],
  ['disconnected by its person', { state: 'off' }, 'ok', /^box: not connected, as you wished$/],
  ['without space', { trouble: 'space' }, 'fail', /cannot write below ~\/\.local\/state · make room there/],
  [
    'tried again',
    { state: 'waiting', reason: 'network', detail: 'Connection timed out' },
    'warn',
    /not connected since [\d :-]+ \(Connection timed out\) · it is tried again; `belfry remote check box`/,
  ],
  [
    'whose sign-in needs a person',
    { state: 'stopped', reason: 'sign-in', detail: 'Permission denied (publickey)' },
    'fail',
    /\(Permission denied \(publickey\)\) · use a key without a passphrase, or connect = "shared" in \[remotes\.box\]$/,
  ],
  [
    'looked after from elsewhere',
    { state: 'stopped', reason: 'refused', detail: 'it is looked after from ADA' },
    'fail',
    /· `belfry remote connect box --take-over`/,
  ],
  ['without a reason', { state: 'stopped' }, 'fail', /^box: not connected since [\d :-]+ · `belfry remote check box`/],
])('one %s', (_name, more, level, text) => {
  const found = resultOf(status(more));
  expect(found.level).toBe(level);
  expect([found.text, ...('fix' in found ? [found.fix] : [])].join(' · ')).toMatch(text);
});
