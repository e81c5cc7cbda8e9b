// Looks through the folder for temporary files for a client's report of a failed request.
import { join } from 'node:path';
import type { FileEntry, Files } from '../../files/index.ts';
import type { ErrorReports, TurnEvidence } from '../../model/agent/agent.ts';

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
  files: Files,
  { reports, transcript, from, to }: ReportWanted,
): Promise<TurnEvidence | null> {
  const found: { readonly name: string; readonly at: number }[] = [];
  for (const name of (await files.names(folder, MOST_NAMES)) ?? []) {
    const at = reports.writtenAt(name);
    if (at !== null && at >= from && at <= to) found.push({ name, at });
  }
  const latest = found.sort((a, b) => b.at - a.at).slice(0, MOST_REPORTS);
  for (const { name } of latest) {
    const path = join(folder, name);
    const beginning = isOwnFile(await files.entry(path)) ? await files.start(path, BEGINNING) : null;
    const said = beginning === null ? null : reports.read(beginning, transcript);
    if (said !== null) return { outcome: 'failed', ...said, turn: name };
  }
  return null;
}

/** Everybody can write there: a link, or another user's file, says nothing. */
function isOwnFile(found: FileEntry | null): boolean {
  return found?.kind === 'file' && (process.getuid === undefined || found.uid === process.getuid());
}
