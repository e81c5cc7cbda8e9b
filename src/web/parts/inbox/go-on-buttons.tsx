// What can be done about sessions that a limit, a server error or a network error stopped: they go on, now or at the reset, or not by themselves.
import { type CanGoOn, type GoOnAction, goOnOffers } from '../../../model/session/go-on-offers.ts';
import { call } from '../../api/access.ts';
import { problemText } from '../../api/live.ts';
import type { CardGuard } from '../../lib/cards/card-guard.ts';
import { now } from '../../lib/clock.ts';
import { counted } from '../../lib/terms.ts';
import type { Notification } from '../../store/waiting-item.ts';
import { ActButton } from '../act-button.tsx';

interface GoOnButtonsProps {
  readonly stopped: Notification['stopped'];
  readonly guard?: CardGuard | undefined;
}

export function GoOnButtons({ stopped, guard }: GoOnButtonsProps) {
  const able = stopped.filter((one) => one.takes_instruction);
  return goOnOffers(able.map(canGoOn), now.value).map(({ action, label }) => (
    <ActButton key={action} guard={guard} act={() => act(action, able)}>
      {label}
    </ActButton>
  ));
}

const canGoOn = ({ continues_at, resets_at }: Notification['stopped'][number]): CanGoOn => ({
  isPlanned: continues_at !== null,
  resetsAt: resets_at === null ? null : Date.parse(resets_at),
});

const WHEN = { continue: 'now', reset: 'reset', hold: 'never' } as const;

const ask = (key: string, when: (typeof WHEN)[GoOnAction]) => call('sessions.continue', { key, when });

/** What came of it, in words. */
async function act(action: GoOnAction, able: Notification['stopped']): Promise<string> {
  const isLimited = ({ resets_at: at }: Notification['stopped'][number]) => at !== null && Date.parse(at) > now.value;
  const meant = able.filter((one) => {
    if (action === 'continue') return !isLimited(one);
    return action === 'reset' ? isLimited(one) && one.continues_at === null : one.continues_at !== null;
  });
  const said: string[] = [];
  for (const { key } of meant) said.push(await ask(key, WHEN[action]).then(words, problemText));
  const done = said.filter((one) => one === '').length;
  if (action === 'hold' && done === said.length) return 'Belfry will not continue it';
  const [why] = said.filter((one) => one !== '');
  const continued = said.length === 1 ? 'It goes on' : `${counted(done, 'session goes', 'sessions go')} on`;
  return why === undefined
    ? continued
    : `${done === 0 ? 'It did not go on' : `${continued}, the others do not`}: ${why}`;
}

/** Empty: as it was asked. */
const words = ({ result, why }: Awaited<ReturnType<typeof ask>>): string =>
  result === 'held' ? (why ?? 'no prompt followed') : '';
