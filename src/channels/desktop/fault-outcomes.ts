// What it means for a delivery when the notification server, or the bus, gives no value.
import type { Outcome } from '../../model/delivery/delivery.ts';
import type { Fault } from './notification-server.ts';

type Failure = Extract<Outcome, { ok: false }>;

export const NO_DESKTOP: Failure = {
  ok: false,
  reason: 'invalid-config',
  error:
    'no desktop: the daemon has no session bus; run `belfry restart` in the desktop session, or add another channel with `belfry setup`',
};

const WORDS = {
  'no-server': {
    reason: 'invalid-config',
    error: 'no notification server runs in this session; start one (GNOME, KDE, dunst, mako)',
  },
  'bus-timeout': { reason: 'network', error: 'the session bus does not answer; is the desktop session still there?' },
  unreachable: {
    reason: 'network',
    error: 'the session bus cannot be reached; is the desktop session still there?',
  },
  timeout: { reason: 'timeout', error: 'the notification server does not answer; restart it if this lasts' },
} as const;

/** Errors of the bus where the server ended, or was replaced, before it answered: the next one may show it. */
const GONE = /\.(NoReply|ServiceUnknown|NameHasNoOwner|Disconnected|TimedOut|Timeout)$/;

/** An error concerns this notification only when the server says so of its arguments; all else may pass. */
export function faultOf(fault: Fault): Failure {
  if (fault.kind !== 'error') return { ok: false, ...WORDS[fault.kind] };
  const { name } = fault;
  if (GONE.test(name))
    return { ok: false, reason: 'server', error: 'the notification server ended before it answered; is it crashing?' };
  if (/\.ExcessNotificationGeneration$/.test(name))
    return { ok: false, reason: 'rate-limited', error: 'the notification server accepts no more at the moment' };
  if (/\.InvalidArgs$/.test(name))
    return { ok: false, reason: 'client', error: 'the notification server refused it as malformed' };
  return { ok: false, reason: 'server', error: `the notification server failed (${name.slice(0, 100)})` };
}
