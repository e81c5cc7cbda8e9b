// The attempts of a delivery: when, how long, what the other side answered, what happens next.
import type { ApiResult } from '../../../http/api/contract.ts';
import { TimeAgo } from '../time-ago.tsx';

type Attempt = ApiResult<'events.get'>['deliveries'][number]['attempt_list'][number];

export function AttemptList({ attempts }: { readonly attempts: readonly Attempt[] }) {
  return (
    <ol class="steps">
      {attempts.map(({ number, at, ms, ok, status, error, answer, next }) => (
        <li key={number}>
          <span class={ok ? 'sub' : 'sub bad-words'}>
            Attempt {number} {ok ? 'arrived' : 'failed'} <TimeAgo at={at} />, took {ms.toLocaleString()} ms
            {status === null || error?.includes(String(status)) ? '' : `, answered ${status}`}
          </span>
          <span>{[error, answer, ok ? null : next].filter((part) => part !== null && part !== '').join(' · ')}</span>
        </li>
      ))}
    </ol>
  );
}
