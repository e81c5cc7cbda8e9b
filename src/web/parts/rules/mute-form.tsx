// A new mute: how long, what, why.
import { useState } from 'preact/hooks';
import { call } from '../../api/access.ts';
import { ActButton } from '../act-button.tsx';
import { Options } from '../options.tsx';

const DURATIONS = [
  ['30', '30 minutes'],
  ['60', '1 hour'],
  ['240', '4 hours'],
  ['1440', '1 day'],
  ['', 'Until it is ended'],
] as const;

export function MuteForm({ added }: { readonly added: () => void }) {
  const [minutes, setMinutes] = useState('60');
  const [cwd, setCwd] = useState('');
  const [reason, setReason] = useState('');
  const [all, setAll] = useState(false);
  const act = async (): Promise<string> => {
    const { text } = await call('mutes.add', {
      minutes: minutes === '' ? null : Number(minutes),
      all,
      ...(cwd.trim() === '' ? {} : { cwd: cwd.trim() }),
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    });
    added();
    return `Muted: ${text}`;
  };
  return (
    <form class="head form" onSubmit={(event) => event.preventDefault()}>
      <label class="field">
        <span>For</span>
        <select value={minutes} onChange={(event) => setMinutes(event.currentTarget.value)}>
          <Options of={DURATIONS} />
        </select>
      </label>
      <label class="field">
        <span>Only in this folder (optional)</span>
        <input value={cwd} placeholder="~/src/payments" onInput={(event) => setCwd(event.currentTarget.value)} />
      </label>
      <label class="field">
        <span>Why (optional)</span>
        <input value={reason} maxLength={200} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <label class="check">
        <input type="checkbox" checked={all} onChange={() => setAll(!all)} />
        Urgent ones too
      </label>
      <ActButton act={act}>Mute</ActButton>
    </form>
  );
}
