// Writes docs/contributing/performance.md and its picture from a run.
import { readFileSync, writeFileSync } from 'node:fs';
import { wrap } from '../.ci/markdown.ts';
import type { Section } from './measure.ts';
import { plot } from './plot.ts';
import { markdownTable, type Report } from './report.ts';

const docs = new URL('../docs/contributing/', import.meta.url);

/** From here on the page is written by hand: what is measured with real clients. */
const BY_HAND = '## prompts';

/** Replaces the page, but for what is written by hand, and the picture. */
export function writePage(report: Report, sections: readonly Section[]): void {
  const { machine } = report;
  const hooks = report.measures.filter(({ section }) => section === 'hook');
  writeFileSync(
    new URL('performance.svg', docs),
    plot('One hook run, start to exit, median (line: to p95), log scale', hooks),
  );
  const parts = sections
    .map((section) => ({ section, measures: report.measures.filter((measure) => measure.section === section.name) }))
    .filter(({ measures }) => measures.length > 0)
    .map(({ section, measures }) => `## ${section.name}\n\n${wrap(section.about)}\n\n${markdownTable(measures)}\n`);
  const path = new URL('performance.md', docs);
  const old = readFileSync(path, 'utf8');
  const byHand = old.includes(BY_HAND) ? `\n${old.slice(old.indexOf(BY_HAND))}` : '';
  const about = `Written by \`${report.command}\` on ${report.at.slice(0, 10)}, belfry ${report.version}; figures of another machine differ, their ratios less. Compare with an earlier run by \`npm run bench -- --json > before.json\` and later \`npm run bench -- --compare before.json\`.`;
  const page = `# Performance

${wrap(about)}

| | |
|---|---|
| system | ${machine.system} |
| processor | ${machine.processor} |
| memory | ${machine.memory} |
| Node | ${machine.node} |
| sh | ${machine.sh} |
| load when it began | ${machine.load} |
| processes timed by | ${machine.timer} |

![Times of one hook run](performance.svg)

${parts.join('\n')}${byHand}`;
  writeFileSync(path, page);
}
