// What a hook's input would come to: the rules say, and nothing is sent.
import { useState } from 'preact/hooks';
import type { ApiResult } from '../../http/api/contract.ts';
import { call } from '../api/access.ts';
import { ActButton } from './act-button.tsx';
import { VerdictList } from './verdict-list.tsx';

type Tried = ApiResult<'rules.try'>;

export function TryInput() {
  const [input, setInput] = useState('');
  const [agent, setAgent] = useState('');
  const [tried, setTried] = useState<Tried | null>(null);
  const act = async (): Promise<undefined> => {
    setTried(null);
    setTried(await call('rules.try', { input, ...(agent.trim() === '' ? {} : { agent: agent.trim() }) }));
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
        <ActButton kind="primary" disabled={input.trim() === ''} act={act}>
          Try
        </ActButton>
      </div>
      {tried === null ? null : <TriedShown tried={tried} />}
    </div>
  );
}

function TriedShown({ tried: { event, verdicts, notifications } }: { readonly tried: Tried }) {
  return (
    <div role="status">
      <h3>{event.title}</h3>
      <VerdictList verdicts={verdicts} />
      <h3>{notifications.length === 0 ? 'Nobody would be notified' : 'It would send'}</h3>
      <ul class="steps">
        {notifications.map(({ channel, title, body }) => (
          <li key={channel}>
            <strong>{channel}</strong>
            <span>
              {title}
              {body === '' ? '' : `: ${body}`}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
