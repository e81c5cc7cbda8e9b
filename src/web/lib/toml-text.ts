// Settings as TOML, the way that their file has them; what is not set is left out.

type Json = unknown;

/** A document of tables. */
export function tomlText(settings: Readonly<Record<string, Json>>): string {
  return tableLines(settings, []).join('\n').trim();
}

function tableLines(table: Readonly<Record<string, Json>>, path: readonly string[]): readonly string[] {
  const entries = Object.entries(table).filter(([, value]) => value !== null && value !== undefined);
  const plain = entries.filter(([, value]) => !isTable(value) && !isTables(value));
  const lines = plain.map(([name, value]) => `${keyText(name)} = ${valueText(value)}`);
  const below = entries.flatMap(([name, value]) => {
    const next = [...path, keyText(name)];
    if (isTable(value)) return headed(`[${next.join('.')}]`, tableLines(value, next));
    if (isTables(value)) return value.flatMap((one) => ['', `[[${next.join('.')}]]`, ...tableLines(one, next)]);
    return [];
  });
  return [...lines, ...below];
}

/** A table that only holds others needs no heading. */
const headed = (heading: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 || lines[0] === '' ? lines : ['', heading, ...lines];

const isTable = (value: Json): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTables = (value: Json): value is readonly Readonly<Record<string, Json>>[] =>
  Array.isArray(value) && value.length > 0 && value.every(isTable);

const keyText = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));

function valueText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (isTable(value)) {
    const parts = Object.entries(value).filter(([, one]) => one !== null);
    return `{ ${parts.map(([name, one]) => `${keyText(name)} = ${valueText(one)}`).join(', ')} }`;
  }
  return JSON.stringify(value);
}
