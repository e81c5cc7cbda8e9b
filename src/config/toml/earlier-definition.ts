// Finds the line on which a table or key was defined before, in a text that does not parse.

/** Line (from 1) of the first definition of what `line` defines again; null: not found by its spelling. */
export function earlierDefinition(lines: readonly string[], line: number): number | null {
  const wanted = definitions(lines.slice(0, line)).at(-1);
  if (!wanted || wanted.line !== line) return null;
  const first = definitions(lines.slice(0, line - 1)).find(
    ({ name }) => name === wanted.name || name.startsWith(`${wanted.name}.`),
  );
  return first?.line ?? null;
}

interface Definition {
  readonly name: string;
  readonly line: number;
}

/** Tables and keys by their whole names; each `[[table]]` begins with a fresh set of keys. */
function definitions(lines: readonly string[]): Definition[] {
  const found: Definition[] = [];
  let table = '';
  lines.forEach((text, i) => {
    const header = /^\[(\[?)([^\]]{1,200})\]/.exec(text.trimStart());
    const key = /^([\w."'-]{1,200})\s{0,200}=/.exec(text.trimStart())?.[1];
    if (header) {
      const name = (header[2] ?? '').trim();
      table = header[1] === '' ? name : `${name}[${i}]`;
      found.push({ name, line: i + 1 });
    } else if (key !== undefined) found.push({ name: table === '' ? key : `${table}.${key}`, line: i + 1 });
  });
  return found;
}
