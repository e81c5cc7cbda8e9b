// The part of docs/reference/settings.md that follows from the schema of config.toml.
import { jsonSchema } from '../src/config/json-schema.ts';
import { registries } from '../src/config/registries.ts';
import { durationSetting } from '../src/model/quantities.ts';
import { JITTER, MAX_ATTEMPTS, RETRY_TABLE } from '../src/lib/retry.ts';

const BEGIN = '<!-- from the schema: npm run docs -->';
const END = '<!-- end of what is from the schema -->';

interface Shape {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** Sections of this page; channels and watches have pages of their own. */
const SECTIONS: readonly (readonly [string, readonly string[]])[] = [
  ['[api]', ['api']],
  ['[context]', ['context']],
  ['[agents.NAME]', ['agents', '*']],
  ['[[routes]]', ['routes', '[]']],
  ['match, in a route', ['routes', '[]', 'match']],
  ['group, in a route', ['routes', '[]', 'group']],
  ['escalate, in a route', ['routes', '[]', 'escalate', '[]']],
  ['[quiet]', ['quiet']],
  ['[presence]', ['presence']],
  ['[messages]', ['messages']],
  ['[redaction]', ['redaction']],
  ['[retention]', ['retention']],
  ['[daemon]', ['daemon']],
  ['[network]', ['network']],
  ['[http]', ['http']],
  ['[answer]', ['answer']],
];

function at(shape: Shape, path: readonly string[]): Shape {
  return path.reduce<Shape>((found, key) => {
    const next =
      key === '[]' ? found.items : key === '*' ? Object.values(found.properties ?? {})[0] : found.properties?.[key];
    if (!next) throw new Error(`the schema has no ${path.join('.')}`);
    return next;
  }, shape);
}

function kindOf(shape: Shape): string {
  if (shape.enum) return shape.enum.length > 6 ? 'one of its names' : shape.enum.join(', ');
  if (shape.anyOf?.[1]?.type === 'array') return `${kindOf(shape.anyOf[0] ?? {})}, or a list`;
  if (shape.type === 'array') return 'list';
  return shape.type === 'string' ? 'text' : (shape.type ?? 'table');
}

function tableOf([title, path]: (typeof SECTIONS)[number], schema: Shape): string {
  const { properties = {}, required = [] } = at(schema, path);
  const rows = Object.entries(properties).map(([name, shape]) => {
    const usual =
      shape.default === undefined
        ? required.includes(name)
          ? 'required'
          : ''
        : `\`${JSON.stringify(shape.default)}\``;
    return row([`\`${name}\``, kindOf(shape), usual, shape.description ?? '']);
  });
  return [
    `### ${title}`,
    '',
    row(['setting', 'value', 'default', 'meaning']),
    row(['---', '---', '---', '---']),
    ...rows,
  ].join('\n');
}

/** The page with the part between its markers regenerated. */
export function renderConfigDocs(page: string): string {
  const start = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (start < 0 || end < start) throw new Error('docs/reference/settings.md has lost its markers');
  const schema = jsonSchema(registries) as Shape;
  const retry = `A failed delivery is retried after ${RETRY_TABLE.map(durationSetting).join(', ')}, each up to ${JITTER * 100} % shorter or longer, ${MAX_ATTEMPTS} attempts at most. A receiver's Retry-After takes precedence and does not count as an attempt.`;
  const made = [
    BEGIN,
    '',
    ...SECTIONS.flatMap((section) => [tableOf(section, schema), '']),
    '### Retries',
    '',
    retry,
    '',
    END,
  ];
  return page.slice(0, start) + made.join('\n') + page.slice(end + END.length);
}
