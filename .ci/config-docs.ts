// The part of docs/reference/settings.md that follows from the schema of config.toml.
import { between, table, wrap } from './markdown.ts';
import { jsonSchema } from '../src/config/json-schema.ts';
import { registries } from '../src/config/registries.ts';
import { durationSetting } from '../src/model/quantities.ts';
import { JITTER, MAX_ATTEMPTS, RETRY_TABLE } from '../src/lib/retry.ts';

const MARKERS = ['<!-- from the schema: npm run docs -->', '<!-- end of what is from the schema -->'] as const;

interface Shape {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly additionalProperties?: Shape | false;
  readonly anyOf?: readonly Shape[];
}

/** Sections of this page; channels and watches have pages of their own. */
const SECTIONS: readonly (readonly [string, readonly string[]])[] = [
  ['[api]', ['api']],
  ['[context]', ['context']],
  ['[agents.NAME]', ['agents', '*']],
  ['[remotes.NAME]', ['remotes', '*']],
  ['[[routes]]', ['routes', '[]']],
  ['`match` of a route', ['routes', '[]', 'match']],
  ['`group` of a route', ['routes', '[]', 'group']],
  ['`escalate` of a route', ['routes', '[]', 'escalate', '[]']],
  ['[quiet]', ['quiet']],
  ['[presence]', ['presence']],
  ['[messages]', ['messages']],
  ['[redaction]', ['redaction']],
  ['[retention]', ['retention']],
  ['[daemon]', ['daemon']],
  ['[network]', ['network']],
  ['[http]', ['http']],
  ['[answer]', ['answer']],
  ['[limits]', ['limits']],
  ['[resume]', ['resume']],
];

function at(shape: Shape, path: readonly string[]): Shape {
  return path.reduce<Shape>((found, key) => {
    const next =
      key === '[]'
        ? found.items
        : key === '*'
          ? found.additionalProperties || Object.values(found.properties ?? {})[0]
          : found.properties?.[key];
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

/** The rows of a section, below its name. */
function rowsOf([title, path]: (typeof SECTIONS)[number], schema: Shape): string[][] {
  const { properties = {}, required = [] } = at(schema, path);
  const rows = Object.entries(properties).map(([name, shape]) => {
    const usual = shape.default === undefined ? '' : `\`${JSON.stringify(shape.default)}\``;
    return [
      `\`${name}\``,
      kindOf(shape),
      required.includes(name) && usual === '' ? 'required' : usual,
      shape.description ?? '',
    ];
  });
  return [[`**${title}**`, '', '', ''], ...rows];
}

/** The page with the part between its markers regenerated. */
export function renderConfigDocs(page: string): string {
  const schema = jsonSchema(registries) as Shape;
  const delays = RETRY_TABLE.map(durationSetting).join(', ');
  const retry = `A failed delivery is retried after ${delays}, each up to ${JITTER * 100} % shorter or longer, ${MAX_ATTEMPTS} attempts at most. A receiver's Retry-After takes precedence and does not count as an attempt.`;
  return between(
    page,
    MARKERS,
    [
      table(
        ['setting', 'value', 'default', 'meaning'],
        SECTIONS.flatMap((section) => rowsOf(section, schema)),
      ),
      '## Retries',
      wrap(retry),
    ].join('\n\n'),
  );
}
