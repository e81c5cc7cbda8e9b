// Looks through the folder for temporary files for a client's report of a failed request.
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { readStart } from '../lib/bounded-read.ts';
import type { ErrorReports, TurnEvidence } from '../model/agent.ts';

/** Names looked at, reports read, and bytes of each: what the service said and whose request it was stand first. */
const MOST_NAMES = 20_000;
const MOST_REPORTS = 5;
const BEGINNING = 64 * 1024;

/** The session that it is looked for. */
export interface ReportWanted {
  readonly reports: ErrorReports;
  readonly transcript: string;
  /** Unix ms: its turn's beginning and end. */
  readonly from: number;
  readonly to: number;
}

/** What the latest report of this turn says; null: there is none. */
export async function findErrorReport(
  folder: string,
  { reports, transcript, from, to }: ReportWanted,
): Promise<TurnEvidence | null> {
  const found: { readonly name: string; readonly at: number }[] = [];
  for (const name of await namesIn(folder)) {
    const at = reports.writtenAt(name);
    if (at !== null && at >= from && at <= to) found.push({ name, at });
  }
  const latest = found.sort((a, b) => b.at - a.at).slice(0, MOST_REPORTS);
  for (const { name } of latest) {
    const path = join(folder, name);
    const beginning = (await isOwnFile(path)) ? await readStart(path, BEGINNING) : null;
    const said = beginning === null ? null : reports.read(beginning, transcript);
    if (said !== null) return { outcome: 'failed', ...said, turn: name };
  }
  return null;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(folder, { bufferSize: 1_000 }))
      if (names.push(name) >= MOST_NAMES) break;
  } catch {
    // not there, or not ours to read: what was seen of it counts
  }
  return names;
}

/** Everybody can write there: a link, or another user's file, says nothing. */
async function isOwnFile(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null); // went away
  return found?.isFile() === true && (process.getuid === undefined || found.uid === process.getuid());
}
