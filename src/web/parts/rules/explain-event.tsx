// What would become of an event by the rules of now, or at another time of day.
import { useState } from 'preact/hooks';
import type { ApiResult } from '../../../http/api/contract.ts';
import { call } from '../../api/access.ts';
import { now } from '../../lib/clock.ts';
import { shownText } from '../../lib/shown-text.ts';
import { atDayTime } from '../../../model/time/clock-time.ts';
import { ActButton } from '../act-button.tsx';
import { atMoment, MomentField } from './moment-field.tsx';
import { PlanList } from './plan-list.tsx';
import { VerdictList } from '../events/verdict-list.tsx';

type Explained = ApiResult<'rules.explain'>;
type Route = Explained['routes'][number];

export function ExplainEvent({ id }: { readonly id: string }) {
  const [moment, setMoment] = useState('');
  const [explained, setExplained] = useState<Explained | null>(null);
  const act = async (): Promise<undefined> => {
    setExplained(null);
    setExplained(await call('rules.explain', { id, ...atMoment(moment) }));
  };
  return (
    <div class="card block">
      <p class="meta">By the routes, quiet hours and mutes in force now. Nothing is written or sent.</p>
      <div class="head form">
        <MomentField moment={moment} name={setMoment} />
        <ActButton act={act}>Explain</ActButton>
      </div>
      <div role="status">{explained === null ? null : <ExplainedShown explained={explained} />}</div>
    </div>
  );
}

function ExplainedShown({ explained }: { readonly explained: Explained }) {
  const { at, verdicts, routes, plan } = explained;
  return (
    <>
      <h3>What happens {atDayTime(Date.parse(at), now.value)}</h3>
      <VerdictList verdicts={verdicts} />
      <h3>Routes</h3>
      <ol class="steps">
        {routes.map((route) => (
          <li key={route.route}>
            <span class="stage">route {route.route}</span>
            <span>{routeWords(route)}</span>
          </li>
        ))}
      </ol>
      <h3>{plan.length === 0 ? 'Nobody would be notified' : 'It would go to'}</h3>
      <PlanList decided={explained} />
    </>
  );
}

function routeWords({ to, also, reached, matches, misses }: Route): string {
  if (!matches) return `no: ${misses.join(', ')} ${misses.length === 1 ? 'does' : 'do'} not match`;
  if (!reached) return 'matches, but an earlier route ends the search';
  return `matches: ${to.length === 0 ? 'nobody' : shownText(to.join(', '))}${also ? ', and on' : ''}`;
}
