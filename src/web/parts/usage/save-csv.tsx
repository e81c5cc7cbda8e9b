// Saves what is shown as a file of comma-separated values.
import { saveFile, toCsv } from '../../lib/usage/csv.ts';

interface SaveCsvProps {
  /** Of the file, without its ending. */
  readonly name: string;
  /** The header first. */
  readonly lines: readonly (readonly (string | number)[])[];
  readonly children?: string;
}

export function SaveCsv({ name, lines, children = 'Save as CSV' }: SaveCsvProps) {
  return (
    <button type="button" onClick={() => saveFile(`belfry-${name}.csv`, toCsv(lines))}>
      {children}
    </button>
  );
}
