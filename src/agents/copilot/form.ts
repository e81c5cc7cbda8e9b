// A form that Copilot shows, as things to choose, and what was chosen as the form's values.
import { asObject, type JsonObject } from '../../lib/json.ts';
import type { Choice } from '../../model/answering.ts';
import { firstString } from '../shared/fields.ts';

/** Fields and options shown: beyond that it is answered at the terminal. */
const MOST = 10;

/** One field. */
interface Field {
  readonly key: string;
  readonly choice: Choice;
  readonly value: (chosen: readonly string[]) => unknown;
}

/** `message`: asked by the form as a whole. Null: not a form that can be answered with certainty. */
export function formFields(schema: unknown, message: string): readonly Field[] | null {
  const properties = Object.entries(asObject(asObject(schema)['properties']));
  if (properties.length === 0 || properties.length > MOST) return null;
  const only = properties.length === 1;
  const fields = properties.map(([key, given]) => field(key, asObject(given), only ? message : ''));
  return fields.every((one) => one !== null) ? fields : null;
}

/** `chosen`: one list of texts for each field. */
export function formValues(schema: unknown, message: string, chosen: readonly (readonly string[])[]): JsonObject {
  const fields = formFields(schema, message) ?? [];
  return Object.fromEntries(fields.map(({ key, value }, at) => [key, value(chosen[at] ?? [])]));
}

function field(key: string, given: JsonObject, message: string): Field | null {
  const question = message || (firstString(given, 'title', 'description') ?? key);
  const make = (options: string[], multiple: boolean, value: Field['value']): Field | null =>
    options.length > MOST || options.some((option) => option === '')
      ? null
      : { key, choice: { question, options, multiple }, value };
  const { type } = given;
  if (type === 'boolean') return make(['Yes', 'No'], false, ([text]) => /^y/i.test(text ?? ''));
  if (type === 'number' || type === 'integer') return make([], false, ([text]) => Number(text));
  const options = optionsOf(type === 'array' ? asObject(given['items']) : given);
  const meant = (text: string): string => options?.find(({ label }) => label === text)?.value ?? text;
  const labels = (options ?? []).map(({ label }) => label);
  if (type === 'array') return options && make(labels, true, (texts) => texts.map(meant));
  return type === 'string' ? make(labels, false, ([text = '']) => meant(text)) : null;
}

/** Null: it lists none. */
function optionsOf(given: JsonObject): readonly { readonly label: string; readonly value: string }[] | null {
  const { enum: values, enumNames: names } = given;
  if (Array.isArray(values))
    return values.map((value, at) => {
      const name: unknown = Array.isArray(names) ? names[at] : undefined;
      return { label: typeof name === 'string' ? name : String(value), value: String(value) };
    });
  const listed = given['oneOf'] ?? given['anyOf'];
  if (!Array.isArray(listed)) return null;
  return listed.map(asObject).map((one) => {
    const value = firstString(one, 'const') ?? '';
    return { label: firstString(one, 'title') ?? value, value };
  });
}
