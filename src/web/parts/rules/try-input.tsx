// What a hook's input would come to, now or at another time: the rules say, and nothing is sent.
import { useState } from 'preact/hooks';
import type { ApiResult } from '../../../http/api/contract.ts';
import { call } from '../../api/access.ts';
import { now } from '../../lib/clock.ts';
import { kindWords } from '../../lib/kinds.ts';
import { atDayTime } from '../../../model/time/clock-time.ts';
import { ActButton } from '../act-button.tsx';
import { atMoment, MomentField } from './moment-field.tsx';
import { PlanList } from './plan-list.tsx';
import { VerdictList } from '../events/verdict-list.tsx';

type Tried = ApiResult<'rules.try'>;

export function TryInput() {
  const [input, setInput] = useState('');
  const [agent, setAgent] = useState('');
  const [moment, setMoment] = useState('');
  const [tried, setTried] = useState<Tried | null>(null);
  const act = async (): Promise<undefined> => {
    setTried(null);
    const named = agent.trim() === '' ? {} : { agent: agent.trim() };
    setTried(await call('rules.try', { input, ...named, ...atMoment(moment) }));
  };
  return (
    <div class="card block">
      <label class="field">
        <span>A hook's input, as JSON. Nothing is written or sent.</span>
        <textarea
          class="code"
          rows={5}
          spellcheck={false}
          placeholder='{ "hook_event_name": "Stop", "session_id": "s1", "cwd": "/src/payments" }'
          value={input}
          onInput={(event) => setInput(event.currentTarget.value)}
        />
      </label>
      <div class="head form">
        <label class="field">
          <span>Agent (optional)</span>
          <input value={agent} onInput={(event) => setAgent(event.currentTarget.value)} />
        </label>
        <MomentField moment={moment} name={setMoment} />
        <ActButton kind="primary" disabled={input.trim() === ''} act={act}>
          Try
        </ActButton>
      </div>
      <div role="status">{tried === null ? null : <TriedShown tried={tried} />}</div>
    </div>
  );
}

function TriedShown({ tried }: { readonly tried: Tried }) {
  const { event, at, verdicts, plan, notifications } = tried;
  const said = notifications.filter((_, index) => plan[index]?.step === 0); // later steps say the same
  return (
    <>
      <h3>
        {event.title} ({kindWords(event.kind)}, {event.urgency}), {atDayTime(Date.parse(at), now.value)}
      </h3>
      <VerdictList verdicts={verdicts} />
      <h3>{plan.length === 0 ? 'Nobody would be notified' : 'It would go to'}</h3>
      <PlanList decided={tried} />
      {said.length === 0 ? null : <h3>It would say</h3>}
      <ul class="steps">
        {said.map(({ channel, title, body }) => (
          <li key={channel}>
            <strong>{channel}</strong>
            <span>
              {title}
              {body === '' ? '' : `: ${body}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
