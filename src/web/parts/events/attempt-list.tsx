// The attempts of a delivery: when, how long, what the other side answered, what happens next.
import type { ApiResult } from '../../../http/api/contract.ts';
import { WithCode } from '../reading/with-code.tsx';
import { ClockTime } from '../clock-time.tsx';

type Attempt = ApiResult<'events.get'>['deliveries'][number]['attempt_list'][number];

interface AttemptListProps {
  readonly attempts: readonly Attempt[];
  /** Why one failed stands elsewhere on the page. */
  readonly isSaid: boolean;
}

export function AttemptList({ attempts, isSaid }: AttemptListProps) {
  return (
    <ol class="steps">
      {attempts.map(({ number, at, ms, ok, status, error, answer, next }) => (
        <li key={number}>
          <span class={ok ? 'sub' : 'sub bad-words'}>
            Attempt {number} {ok ? 'arrived' : 'failed'} <ClockTime at={at} />, took {ms.toLocaleString()} ms
            {status === null || (!isSaid && error?.includes(String(status))) ? '' : `, answered ${status}`}
          </span>
          <span>
            <WithCode
              text={[isSaid ? null : error, answer, ok ? null : next]
                .filter((part) => part !== null && part !== '')
                .join(' · ')}
            />
          </span>
        </li>
      ))}
    </ol>
  );
}
