// The table of docs/reference/doctor.md, made from the checks' own descriptions.
import type { Check } from '../src/cli/doctor/check.ts';

const BEGIN = '<!-- checks: made by `npm run docs` -->';
const END = '<!-- end of checks -->';

/** The page with its table as the checks are now; text around it is kept. */
export function renderDoctorDocs(page: string, checks: readonly Check[]): string {
  const [head = '', rest = ''] = page.split(BEGIN);
  const [, tail = ''] = rest.split(END);
  const rows = checks.flatMap(({ name, inspects, fixes }) =>
    fixes.map(([fault, fix], index) => `| ${index === 0 ? `**${name}**: ${inspects}` : ''} | ${fault} | ${fix} |`),
  );
  const table = ['| check | problem | fix |', '|---|---|---|', ...rows].join('\n');
  return `${head}${BEGIN}\n\n${table}\n\n${END}${tail}`;
}
