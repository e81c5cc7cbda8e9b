// What `belfry status` knows without a daemon: its last words, and what the store holds.
import { errorMessage } from '../../../lib/text/error-message.ts';
import { oneLine } from '../../../lib/text/text.ts';
import { failingWords } from '../../../model/channel/failing-words.ts';
import type { Paths } from '../../../runtime/paths.ts';
import type { StoreReader } from '../../../store/contract.ts';
import { logLine } from './log-line.ts';
import { openTail } from './tail-file.ts';
import { ago } from '../../options/times.ts';
import { withStore } from '../../reading/with-store.ts';

/** One fact a line. `spooled`: events in files that the next daemon takes over. */
export async function stoppedLines(paths: Paths, spooled: number): Promise<string[]> {
  const last = openTail(paths.daemonLog).read().at(-1);
  const line = (label: string, text: string): string => `${label.padEnd(8)} ${oneLine(text)}`;
  return [
    'not running',
    ...(last === undefined ? [] : [line('last log', logLine(last))]),
    ...(await readStore(spooled)).map(([label, text]) => line(label, text)),
  ];
}

/** A store that cannot be read does not keep the rest from being said. */
async function readStore(spooled: number): Promise<[string, string][]> {
  try {
    return await withStore((store) => storeLines(store, spooled, Date.now()));
  } catch (error) {
    return [['journal', errorMessage(error)]];
  }
}

const spooledWords = (count: number): string =>
  count === 1 ? '1 event waits for the daemon' : `${count} events wait for the daemon`;

async function storeLines(store: StoreReader, spooled: number, now: number): Promise<[string, string][]> {
  const [counts, latest, health] = await Promise.all([store.counts(), store.events({ limit: 1 }), store.health()]);
  const waiting = [...counts.waiting].map(([channel, count]) => `${count} for ${channel}`).join(', ');
  const failing = health.filter(({ state }) => state === 'failing');
  const [event] = latest;
  const open = counts.notifications.open || counts.openQuestions;
  return [
    ...failing.map(({ channel, error, reason, probeAt }): [string, string] => [
      'channel',
      `${channel} was ${failingWords(reason, probeAt)}: ${error ?? reason ?? 'unknown'}`,
    ]),
    ...(spooled > 0 ? [['spool', spooledWords(spooled)] as [string, string]] : []),
    ...(waiting === '' ? [] : [['unsent', `${waiting}; sent once the daemon runs`] as [string, string]]),
    ...(open > 0 ? [['pending', `${open} open; \`belfry pending\` lists them`] as [string, string]] : []),
    ...(event === undefined
      ? []
      : [['events', `${counts.events} kept, the last one ${ago(event.event.at, now)}`] as [string, string]]),
  ];
}
