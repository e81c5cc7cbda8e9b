// Writes the types of `belfry/api` as one file without imports: from the contract and the few files beside it.
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { type Entry, entries } from '../src/api/contract/contract.ts';
import { schemaOf } from '../src/lib/json/json-schema.ts';
import { printType } from './print-type.ts';

const root = new URL('..', import.meta.url);
/** Files whose declarations are taken over as they are. */
const BESIDE = ['src/lib/clock.ts', 'src/model/errors.ts', 'src/api/client/errors.ts', 'src/api/client/options.ts'];
const PUBLIC = ['ApiError', 'createClient'];
const PUBLIC_TYPES = ['Answered', 'CallOptions', 'Client', 'ClientOptions', 'ErrorKind', 'RequestLine'];

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const nameOf = ({ resource, method }: Entry, part: string): string => `${pascal(resource)}${pascal(method)}${part}`;

/** The text of dist/api.d.ts. */
export function apiTypes(): string {
  const inputs = entries.map((entry) => `interface ${nameOf(entry, 'Input')} ${inputType(entry)}`);
  const results = entries.map(
    (entry) =>
      `/** ${entry.endpoint.summary} */\ninterface ${nameOf(entry, 'Result')} ${printType(schemaOf(entry.endpoint.result))}`,
  );
  const types = entries.flatMap((entry) => [nameOf(entry, 'Input'), nameOf(entry, 'Result')]);
  return [
    '// The client of the organization’s service. Made from its contract by the build.',
    ...BESIDE.map(declarations),
    ...inputs,
    ...results,
    ...CALLS,
    clientType(),
    '/** A client of the service at these addresses. Nothing is sent before a method is called. */',
    'declare function createClient(options: ClientOptions): Client;',
    `export { ${PUBLIC.join(', ')} };`,
    `export type { ${[...PUBLIC_TYPES, ...types].join(', ')} };`,
    '',
  ].join('\n');
}

/** How a method is called: with or without a need for input, with or without pages. */
const CALLS = [
  'type Call<I, O> = Record<never, never> extends I ? (input?: I, options?: CallOptions) => Promise<O> : (input: I, options?: CallOptions) => Promise<O>;',
  'interface Pages<I, O> {\n  /** Every page from the one asked for. */\n  pages(input: I, options?: CallOptions): AsyncGenerator<O, void, undefined>;\n}',
];

function inputType({ endpoint }: Entry): string {
  const parts = [endpoint.params, endpoint.query, endpoint.body].map((schema) => schemaOf(schema));
  return printType({
    type: 'object',
    properties: Object.assign({}, ...parts.map((part) => part['properties'])),
    required: parts.flatMap((part) => part['required'] ?? []),
    additionalProperties: false,
  });
}

function clientType(): string {
  const resources = [...new Set(entries.map(({ resource }) => resource))].map((resource) => {
    const methods = entries
      .filter((entry) => entry.resource === resource)
      .map((entry) => {
        const types = `<${nameOf(entry, 'Input')}, ${nameOf(entry, 'Result')}>`;
        const pages = entry.endpoint.pages ? ` & Pages${types}` : '';
        return `    /** ${entry.endpoint.summary} */\n    readonly ${entry.method}: Call${types}${pages};`;
      });
    return `  readonly ${resource}: {\n${methods.join('\n')}\n  };`;
  });
  return `/** \`client.RESOURCE.METHOD(input)\` for every endpoint. */\ninterface Client {\n${resources.join('\n')}\n}`;
}

/** A file's declarations without its imports and exports: everything ends up in one file. */
function declarations(file: string): string {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(new URL(file, root), 'utf8'), {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { isolatedDeclarations: true, strict: true, target: ts.ScriptTarget.ES2023 },
  });
  if (diagnostics.length > 0)
    throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(diagnostics[0]?.messageText, ' ')}`);
  return outputText
    .split('\n')
    .filter((line) => !/^(import |export \{\})/.test(line))
    .map((line) => line.replace(/^export /, ''))
    .join('\n')
    .trim();
}
