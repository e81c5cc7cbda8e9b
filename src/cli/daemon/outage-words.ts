// An outage of the event journal in words, for `status` and doctor.
import type { DaemonStatus } from '../../daemon/commands/status.ts';
import { clockTime } from '../../model/time/clock-time.ts';
import { ago } from '../options/times.ts';

type Journal = NonNullable<DaemonStatus['journal_outage']>;

/** What happened, and how to fix it while it lasts. */
export interface OutageWords {
  readonly text: string;
  readonly fix: string | null;
}

const at = (iso: string): string => clockTime(Date.parse(iso));
const events = (count: number): string => (count === 1 ? '1 event rejected' : `${count} events rejected`);

/** `now`: Unix ms. */
export function outageWords(outage: Journal, now: number): OutageWords {
  const { since, until, last, rejected, recovered, error, folder } = outage;
  const counts = `${events(rejected)}, ${recovered === rejected ? 'all' : recovered} recovered`;
  if (until !== null)
    return {
      text: `The event journal could not be written from ${at(since)} to ${at(until)} (${error}): ${counts}`,
      fix: null,
    };
  const fix = outage.disk_full ? `free some space on the disk of ${folder}` : `make ${folder} writable`;
  return {
    text: `Cannot write the event journal since ${at(since)} (${error}; last try ${ago(Date.parse(last), now)}): ${counts}; events that could not be spooled are lost`,
    fix: `${fix}, then run \`belfry send test\` to check`,
  };
}
