// One event in a list: when, what, where, and what came of it.
import type { ApiResult } from '../../../http/api/contract.ts';
import { kindWords } from '../../lib/kinds.ts';
import { agentName } from '../../lib/names.ts';
import { shownText } from '../../lib/shown-text.ts';
import { kept } from '../kept.tsx';
import { ClockTime } from '../clock-time.tsx';

export type EventSummary = ApiResult<'events.list'>['events'][number];

export const EventRow = kept(({ event }: { readonly event: EventSummary }) => {
  const { id, at, title, agent, project, branch, urgency, kind, outcome } = event;
  const outcomeText =
    outcome.notified.length > 0
      ? `Sent to ${shownText(outcome.notified.join(', '))}`
      : outcome.note === null
        ? 'Nobody notified'
        : shownText(`Not sent: ${outcome.note}`);
  return (
    <a class="line" href={`/events/${encodeURIComponent(id)}`} data-item>
      <span class={`mark ${urgency}`}>
        <span class="hidden">{urgency}</span>
      </span>
      <span class="main">
        <strong>{shownText(title)}</strong>
        <span class="sub">
          {[agentName(agent), project, branch, kindWords(kind)]
            .flatMap((part) => (part ? shownText(part) : []))
            .join(' · ')}
        </span>
      </span>
      <span class="sub outcome" title={outcomeText}>
        {outcomeText}
      </span>
      <span class="sub when">
        <ClockTime at={at} />
      </span>
    </a>
  );
});
