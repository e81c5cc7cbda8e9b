// A JSON Schema of the contract as a TypeScript type.

type Json = Readonly<Record<string, unknown>>;

/** The type's text; what the contract has no use for is `unknown`. */
export function printType(schema: Json, indent = ''): string {
  const { anyOf, enum: values, const: constant, type, examples } = schema as Shape;
  if (anyOf) return [...new Set(anyOf.map((one) => printType(one, indent)))].join(' | ');
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (constant !== undefined) return JSON.stringify(constant);
  if (type === 'string' && examples)
    return [...examples.map((one) => JSON.stringify(one)), '(string & {})'].join(' | ');
  if (type === 'string' || type === 'boolean' || type === 'null') return type;
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'array') return `Array<${printType(schema['items'] as Json, indent)}>`;
  return type === 'object' ? printObject(schema as Shape, indent) : 'unknown';
}

interface Shape extends Json {
  readonly anyOf?: readonly Json[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Json;
}

function printObject({ properties = {}, required = [], additionalProperties }: Shape, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, one]) => {
    const words = typeof one['description'] === 'string' ? `${inner}/** ${one['description']} */\n` : '';
    const optional = required.includes(name) ? '' : '?';
    return `${words}${inner}${name}${optional}: ${printType(one, inner)}${optional ? ' | undefined' : ''};`;
  });
  const only =
    fields.length === 0 && typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0;
  if (additionalProperties !== false)
    fields.push(`${inner}[field: string]: ${only ? printType(additionalProperties as Json, inner) : 'unknown'};`);
  return `{\n${fields.join('\n')}\n${indent}}`;
}
