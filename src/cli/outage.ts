// Describes an outage of the journal, for `status` and doctor.
import type { DaemonStatus } from '../daemon/status.ts';
import { clockTime } from '../model/clock-time.ts';
import { ago } from './time-args.ts';

type Journal = NonNullable<DaemonStatus['journal_outage']>;

/** Its description, and the fix while it lasts. */
export interface OutageWords {
  readonly text: string;
  readonly mend: string | null;
}

const at = (iso: string): string => clockTime(Date.parse(iso));
const events = (count: number): string => (count === 1 ? '1 event was refused' : `${count} events were refused`);

/** `now`: Unix ms. */
export function outageWords(outage: Journal, now: number): OutageWords {
  const { since, until, last, refused, recovered, error, folder } = outage;
  const came = recovered === 0 ? '' : recovered === refused ? ', all came later' : `, ${recovered} of them came later`;
  if (until !== null)
    return {
      text: `the journal could not be written from ${at(since)} to ${at(until)} (${error}): ${events(refused)}${came || ', none came later so far'}`,
      mend: null,
    };
  const mend = outage.disk_full
    ? `free some space on the disk of ${folder}`
    : `see to it that ${folder} can be written and its disk has room`;
  return {
    text: `the journal cannot be written since ${at(since)} (${error}; last tried ${ago(Date.parse(last), now)}): ${events(refused)}${came}; what their hooks could keep in the spool comes later, the rest is lost`,
    mend: `${mend}; the next event that is kept ends this, \`belfry send mended\` is one`,
  };
}
