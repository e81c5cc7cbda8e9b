// A computer as the service sends it, read for the page: whatever is missing counts as not said.
import { type Row, rowsOf } from './usage-views.ts';

export interface Computer {
  readonly id: string;
  readonly name: string;
  readonly hostname: string | null;
  readonly status: string | null;
  readonly provider: string;
  readonly user: string | null;
  readonly createdAt: string | null;
  readonly steps: readonly ProvisioningStep[];
}

export interface ProvisioningStep {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  /** How long it took; null: it is not over. */
  readonly ms: number | null;
  readonly error: string | null;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

export function computerOf(row: Row): Computer {
  const created = numberOf(row['createdAt']);
  return {
    id: String(row['id']),
    name: String(row['name']),
    hostname: textOf(row['hostname']),
    status: textOf(row['status']),
    provider: { byom: 'own machine', hosted: 'hosted' }[String(row['providerType'])] ?? String(row['providerType']),
    user: textOf(row['remoteUser']),
    createdAt: created === null ? null : new Date(created).toISOString(),
    steps: rowsOf(row['provisioningSteps']).map(stepOf),
  };
}

function stepOf(row: Row): ProvisioningStep {
  const [began, ended] = [numberOf(row['startedAt']), numberOf(row['completedAt'])];
  const error = textOf(row['error']);
  const concluded = error !== null ? 'failed' : ended !== null ? 'completed' : began !== null ? 'running' : 'pending';
  return {
    id: String(row['id']),
    name: textOf(row['name']) ?? String(row['id']),
    state: textOf(row['status']) ?? concluded,
    ms: began === null || ended === null ? null : ended - began,
    error,
  };
}
