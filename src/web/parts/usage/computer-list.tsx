// The organization's computers, each with how far its provisioning is, as they are now.
import { callService } from '../../api/service.ts';
import { useLive } from '../../api/live.ts';
import { computerOf, type Computer, type ProvisioningStep } from '../../lib/usage/computers.ts';
import { rowsOf } from '../../lib/usage/usage-views.ts';
import { shortDuration } from '../../lib/time-words.ts';
import { EmptyState } from '../reading/empty-state.tsx';
import { SaveCsv } from './save-csv.tsx';
import { ScrollTable } from '../scroll-table.tsx';
import { Shown } from '../reading/read-state.tsx';
import { StateBadge } from '../state-badge.tsx';
import { ClockTime } from '../clock-time.tsx';

const COLUMNS = ['Computer', 'State', 'Provisioning', 'Provider', 'User', 'Created'] as const;
const [, STATE, PROVISIONING, PROVIDER, USER, CREATED] = COLUMNS;

export function ComputerList() {
  const live = useLive('computers', [], (signal) =>
    callService('service.get', { resource: 'computers', method: 'list' }, signal),
  );
  return (
    <Shown of={live}>
      {(answer) => {
        const computers = rowsOf(answer['computers']).map(computerOf);
        if (computers.length === 0)
          return (
            <EmptyState title="No computers">
              <code>belfry api computers create</code> makes one.
            </EmptyState>
          );
        return (
          <>
            <div class="head">
              <SaveCsv name="computers" lines={linesOf(computers)} />
              <button type="button" onClick={live.refresh}>
                Refresh
              </button>
              <p class="meta">As they are now.</p>
            </div>
            <ScrollTable label="Computers" columns={COLUMNS} stacks>
              {computers.map((computer) => (
                <ComputerRow key={computer.id} computer={computer} />
              ))}
            </ScrollTable>
          </>
        );
      }}
    </Shown>
  );
}

function ComputerRow({ computer }: { readonly computer: Computer }) {
  const { name, hostname, status, steps, provider, user, createdAt } = computer;
  return (
    <tr>
      <th scope="row">
        {name}
        {hostname === null ? null : <span class="sub">{hostname}</span>}
      </th>
      <td data-label={STATE}>{status === null ? '–' : <StateBadge state={status} />}</td>
      <td data-label={PROVISIONING}>
        <ol class="steps provisioning">
          {steps.map((step) => (
            <Step key={step.id} step={step} />
          ))}
        </ol>
      </td>
      <td data-label={PROVIDER}>{provider}</td>
      <td data-label={USER}>{user ?? '–'}</td>
      <td data-label={CREATED}>{createdAt === null ? '–' : <ClockTime at={createdAt} />}</td>
    </tr>
  );
}

function Step({ step: { name, state, ms, error } }: { readonly step: ProvisioningStep }) {
  return (
    <li>
      <StateBadge state={state} />
      <span>{name}</span>
      {ms === null ? null : <span class="sub">{tookWords(ms)}</span>}
      {error === null ? null : <span class="bad-words">{error}</span>}
    </li>
  );
}

/** Tenths of a second where seconds say too little. */
const tookWords = (ms: number): string => (ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : shortDuration(ms));

const linesOf = (computers: readonly Computer[]): readonly (readonly (string | number)[])[] => [
  ['name', 'status', 'provisioning', 'provider', 'user', 'created_at', 'hostname'],
  ...computers.map(({ name, status, steps, provider, user, createdAt, hostname }) => [
    name,
    status ?? '',
    steps.map((step) => [step.name, step.state, step.error].filter((part) => part !== null).join(' ')).join('; '),
    provider,
    user ?? '',
    createdAt ?? '',
    hostname ?? '',
  ]),
];
