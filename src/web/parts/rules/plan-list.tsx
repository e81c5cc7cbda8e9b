// What is planned: which channel, when, and under which condition.
import type { ApiResult } from '../../../http/api/contract.ts';
import { atDayTime } from '../../../model/time/clock-time.ts';
import { now } from '../../lib/clock.ts';
import { shownText } from '../../lib/shown-text.ts';
import { shortDuration } from '../../lib/time-words.ts';

type Decided = Pick<ApiResult<'rules.explain'>, 'at' | 'plan'>;

export function PlanList({ decided: { at, plan } }: { readonly decided: Decided }) {
  return (
    <ol class="steps">
      {plan.map(({ channel, step, due, condition }) => (
        <li key={`${channel} ${step}`}>
          <strong>{shownText(channel)}</strong>
          <span>{[dueWords(due, at), condition].filter((part) => part !== '').join(', ')}</span>
        </li>
      ))}
    </ol>
  );
}

function dueWords(due: string, at: string): string {
  const wait = Date.parse(due) - Date.parse(at);
  return wait <= 0 ? 'at once' : `in ${shortDuration(wait)}, ${atDayTime(Date.parse(due), now.value)}`;
}
