// Credit limits of users: a dry run says what a list would set and what is wrong with it, then the same list is sent.
import { useState } from 'preact/hooks';
import type { ApiResult } from '../../../http/api/contract.ts';
import { callService } from '../../api/service.ts';
import { counted } from '../../lib/terms.ts';
import { ActButton } from '../act-button.tsx';
import { SaveCsv } from './save-csv.tsx';
import { ScrollTable } from '../scroll-table.tsx';

type Checked = ApiResult<'service.checkLimits'>;
type Limits = Checked['users'];
type Outcome = ApiResult<'service.setLimits'>;

export function LimitForm() {
  const [text, setText] = useState('');
  const [checked, setChecked] = useState<Checked | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const begin = (next: string): void => {
    setText(next);
    setChecked(null);
    setOutcome(null);
  };
  const check = async (): Promise<string> => {
    setOutcome(null);
    const found = await callService('service.checkLimits', { text });
    setChecked(found);
    return found.errors.length === 0 ? 'Dry run: nothing was sent' : 'Nothing was sent: correct the list first';
  };
  const send = (users: Limits) => async (): Promise<string> => {
    const set = await callService('service.setLimits', { users });
    setOutcome(set);
    const failed = set.errors.length === 0 ? '' : `, ${set.errors.length} failed`;
    return `${counted(set.updated.length, 'limit is', 'limits are')} set${failed}`;
  };
  return (
    <div class="card block">
      <p class="note">
        The service sets limits and does not say which are in force. Up to 100 users at once; more by{' '}
        <code>belfry api usage-limits set --batch</code>.
      </p>
      <label class="field">
        <span>A user and the limit in each line; CSV with a header or JSON are fine too</span>
        <textarea
          class="code"
          rows={6}
          spellcheck={false}
          maxLength={20_000}
          placeholder={'ada@example.com,500\ngrace@example.com,750'}
          value={text}
          onInput={(event) => begin(event.currentTarget.value)}
        />
      </label>
      <div class="buttons">
        <ActButton disabled={text.trim() === ''} act={check}>
          Dry run
        </ActButton>
        {checked === null || checked.users.length === 0 || outcome !== null ? null : (
          <ActButton kind="primary" act={send(checked.users)}>
            {`Set ${counted(checked.users.length, 'limit')}`}
          </ActButton>
        )}
      </div>
      {checked === null || outcome !== null ? null : <Plan checked={checked} />}
      {outcome === null ? null : <Result outcome={outcome} limits={checked?.users ?? []} />}
    </div>
  );
}

function Plan({ checked: { users, errors } }: { readonly checked: Checked }) {
  if (errors.length > 0)
    return (
      <ul class="bad-words">
        {errors.map((error) => (
          <li key={error}>{error}</li>
        ))}
      </ul>
    );
  if (users.length === 0) return <p class="warning">The list has no users.</p>;
  return (
    <>
      <h3>{counted(users.length, 'user')} would get these limits; nothing was sent yet</h3>
      <LimitTable limits={users} />
    </>
  );
}

function Result({ outcome: { updated, errors }, limits }: { readonly outcome: Outcome; readonly limits: Limits }) {
  const limitOf = (email: string): number | string =>
    limits.find((one) => one.email.toLowerCase() === email.toLowerCase())?.limit ?? '';
  const failed = errors.map(({ email, error }) => [email, limitOf(email), error]);
  return (
    <>
      {updated.length === 0 ? null : (
        <>
          <h3>{counted(updated.length, 'limit is', 'limits are')} set</h3>
          <LimitTable limits={updated} />
        </>
      )}
      {errors.length === 0 ? null : (
        <>
          <h3>{counted(errors.length, 'user')} failed</h3>
          <ul class="bad-words">
            {errors.map(({ email, error }) => (
              <li key={email}>
                {email}: {error}
              </li>
            ))}
          </ul>
          <SaveCsv name="limits-failed" lines={[['email', 'limit', 'error'], ...failed]}>
            Save these as CSV
          </SaveCsv>
        </>
      )}
    </>
  );
}

function LimitTable({ limits }: { readonly limits: Limits }) {
  return (
    <ScrollTable label="Limits" columns={['User', 'Limit']}>
      {limits.map(({ email, limit }) => (
        <tr key={email}>
          <th scope="row">{email}</th>
          <td>{limit.toLocaleString(undefined, { maximumFractionDigits: 6 })}</td>
        </tr>
      ))}
    </ScrollTable>
  );
}
