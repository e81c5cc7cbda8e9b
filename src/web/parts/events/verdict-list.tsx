// What each stage said about an event, in their order.
import type { ApiResult } from '../../../http/api/contract.ts';
import { stageWords } from '../../lib/terms.ts';
import { StateBadge } from '../state-badge.tsx';

type Verdict = ApiResult<'events.get'>['verdicts'][number];

export function VerdictList({ verdicts }: { readonly verdicts: readonly Verdict[] }) {
  return (
    <ol class="steps">
      {verdicts.map(({ stage, verdict, note }, index) => (
        <li key={index}>
          <span class="stage">{stageWords(stage)}</span>
          <StateBadge state={verdict} />
          <span>{note}</span>
        </li>
      ))}
    </ol>
  );
}
