// What decided about an event, in its order; what changed nothing is left out.
import type { ApiResult } from '../../../http/api/contract.ts';
import { shownText } from '../../lib/shown-text.ts';
import { decidedBy, stateWords } from '../../lib/terms.ts';

type Verdict = ApiResult<'events.get'>['verdicts'][number];

export function VerdictList({ verdicts }: { readonly verdicts: readonly Verdict[] }) {
  const shown = verdicts.filter(({ stage, verdict }) => stage !== 'classify' && verdict !== 'pass');
  if (shown.length === 0) return null;
  return (
    <ol class="steps">
      {shown.map((one, index) => (
        <li key={index}>
          <span class="stage">{decidedBy(one.stage)}</span>
          <span>{shownText(noteWords(one))}</span>
        </li>
      ))}
    </ol>
  );
}

/** "unknown -> finished" is of a session, "desk, phone: route 2" of where it goes. */
function noteWords({ stage, verdict, note }: Verdict): string {
  const [, before = '', after = '', rest = ''] = /^(\w+) -> (\w+)(.*)$/s.exec(note) ?? [];
  if (stage === 'session' && after !== '')
    return `was ${stateWords(before).toLowerCase()}, is ${stateWords(after).toLowerCase()} now${rest}`;
  const cut = note.indexOf(': ');
  if (stage !== 'route' || verdict !== 'route' || cut < 0) return note;
  return `to ${note.slice(0, cut)}, by ${note.slice(cut + 2)}`;
}
