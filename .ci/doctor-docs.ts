// The table of docs/reference/doctor.md, made from the checks' own descriptions.
import { between, table } from './markdown.ts';
import type { Check } from '../src/cli/doctor/check.ts';

const MARKERS = ['<!-- checks: made by `npm run docs` -->', '<!-- end of checks -->'] as const;

/** The page with its table as the checks are now; text around it is kept. */
export function renderDoctorDocs(page: string, checks: readonly Check[]): string {
  const rows = checks.flatMap(({ name, inspects, fixes }) =>
    fixes.map(([fault, fix], index) => [index === 0 ? `**${name}**: ${inspects}` : '', fault, fix]),
  );
  return between(page, MARKERS, table(['check', 'problem', 'fix'], rows));
}
