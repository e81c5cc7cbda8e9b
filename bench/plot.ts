// A bar chart of the hook's times as SVG, readable in light and dark.
import { figure } from './report.ts';
import type { Measure } from './measure.ts';

const WIDTH = 720;
const LEFT = 190;
const ROW = 30;

/** Medians as bars, the range to p95 as a thin line; logarithmic, since Node and sh are far apart. */
export function plot(title: string, measures: readonly Measure[]): string {
  const bars = measures.filter(({ unit }) => unit === 'ms');
  const largest = Math.max(...bars.map(({ value, p95 }) => p95 ?? value));
  const smallest = Math.min(...bars.map(({ value }) => value)) / 2;
  const scale = (value: number): number =>
    ((WIDTH - LEFT - 90) * Math.log(value / smallest)) / Math.log(largest / smallest);
  const rows = bars.map((measure, index) => {
    const y = 44 + index * ROW;
    const ours = /fast|belfry/.test(measure.name) ? 'ours' : 'theirs';
    const end = LEFT + scale(measure.p95 ?? measure.value);
    return [
      `<text x="${LEFT - 8}" y="${y + 14}" text-anchor="end">${escapeXml(measure.name)}</text>`,
      `<rect class="${ours}" x="${LEFT}" y="${y}" width="${scale(measure.value).toFixed(1)}" height="20" rx="2"/>`,
      `<line x1="${LEFT + scale(measure.value)}" y1="${y + 10}" x2="${end.toFixed(1)}" y2="${y + 10}"/>`,
      `<text x="${(end + 6).toFixed(1)}" y="${y + 14}">${figure(measure.value, 'ms')}</text>`,
    ].join('\n');
  });
  const height = 60 + bars.length * ROW;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeXml(title)}">
<style>
text { font: 13px system-ui, sans-serif; fill: #333 }
.theirs { fill: #9aa5b1 } .ours { fill: #2f7de1 } line { stroke: #777; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .theirs { fill: #66707c } line { stroke: #aaa } }
</style>
<text x="8" y="22" font-weight="bold">${escapeXml(title)}</text>
${rows.join('\n')}
</svg>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
