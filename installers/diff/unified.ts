// A unified diff of two texts, for `--dry-run`; what looks like a secret in somebody else's lines is hidden.
import { maskSecrets } from './mask.ts';
import { type DiffLine, shortestEdit } from './lines.ts';

const CONTEXT = 3;

/** Diff in the form of `diff -u`; empty when both are the same. Null: no file. */
export function unifiedDiff(path: string, before: Uint8Array | null, after: Uint8Array | null): string {
  const [a, b] = [linesOf(before), linesOf(after)];
  const steps = shortestEdit(a, b);
  if (steps.every((step) => step.sign === ' ')) return '';
  const head = [`--- ${before === null ? '/dev/null' : path}`, `+++ ${after === null ? '/dev/null' : path}`];
  return `${[...head, ...hunks(steps)].join('\n')}\n`;
}

function linesOf(bytes: Uint8Array | null): string[] {
  if (bytes === null || bytes.byteLength === 0) return [];
  const lines = Buffer.from(bytes).toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  else lines.push('\\ No newline at end of file');
  return lines;
}

function hunks(steps: readonly DiffLine[]): string[] {
  const near = new Set<number>();
  steps.forEach((step, index) => {
    if (step.sign !== ' ') for (let i = index - CONTEXT; i <= index + CONTEXT; i++) near.add(i);
  });
  const out: string[] = [];
  let [a, b] = [1, 1];
  let hunk: { a: number; b: number; lines: DiffLine[] } | null = null;
  const flush = (): void => {
    if (!hunk) return;
    const count = (sign: string): number => hunk?.lines.filter((s) => s.sign === ' ' || s.sign === sign).length ?? 0;
    const range = (start: number, length: number): string => `${length === 0 ? start - 1 : start},${length}`;
    out.push(`@@ -${range(hunk.a, count('-'))} +${range(hunk.b, count('+'))} @@`);
    out.push(...hunk.lines.map((s) => s.sign + maskSecrets(s.line.replace(/\r$/, ''))));
    hunk = null;
  };
  for (const [index, step] of steps.entries()) {
    if (near.has(index)) {
      hunk ??= { a, b, lines: [] };
      hunk.lines.push(step);
    } else flush();
    if (step.sign !== '+') a++;
    if (step.sign !== '-') b++;
  }
  flush();
  return out;
}
