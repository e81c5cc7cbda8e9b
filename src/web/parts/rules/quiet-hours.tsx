// Quiet hours in words: when, for whom, and what becomes of what comes meanwhile.
import { shownText } from '../../lib/shown-text.ts';
import { EmptyState } from '../reading/empty-state.tsx';

/** `[quiet]` as the settings have it; null, or without hours: there are none. */
export function QuietHours({ quiet }: { readonly quiet: Readonly<Record<string, unknown>> | null }) {
  const hours = listOf(quiet?.['hours']);
  if (quiet === null || hours.length === 0) return <EmptyState title="No quiet hours" />;
  const { zone, urgent } = quiet;
  const channels = quiet['channels'] === undefined ? null : listOf(quiet['channels']);
  return (
    <div class="card block">
      <p>
        <strong>{shownText(hours.join('; '))}</strong> {typeof zone === 'string' ? `in ${shownText(zone)}` : ''}
      </p>
      <p>
        {channels === null ? 'All channels that people look at' : shownText(channels.join(', ')) || 'No channel'}: what
        comes then arrives as one digest at the end.
      </p>
      <p>{urgent === 'hold' ? 'Urgent notifications are held too.' : 'Urgent notifications get through.'}</p>
    </div>
  );
}

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
