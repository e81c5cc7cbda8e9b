// A form that Copilot shows, as things to choose, and what was chosen as the form's values.
import { asObject, type JsonObject } from '../../lib/json/json.ts';
import type { Choice } from '../../model/question/answering.ts';
import { firstString } from '../shared/fields.ts';

/** Fields and options shown: beyond that it is answered at the terminal. */
const MAX_ITEMS = 10;

/** One field. */
interface Field {
  readonly key: string;
  readonly choice: Choice;
  /** What it takes, for people: "a whole number, at least 1 and at most 10"; null: this answer. */
  readonly wants: (chosen: readonly string[]) => string | null;
  readonly value: (chosen: readonly string[]) => unknown;
}

/** `message`: asked by the form as a whole. Null: not a form that can be answered with certainty. */
export function formFields(schema: unknown, message: string): readonly Field[] | null {
  const properties = Object.entries(asObject(asObject(schema)['properties']));
  if (properties.length === 0 || properties.length > MAX_ITEMS) return null;
  const only = properties.length === 1;
  const fields = properties.map(([key, given]) => field(key, asObject(given), only ? message : ''));
  return fields.every((one) => one !== null) ? fields : null;
}

/** `chosen`: one list of texts for each field. */
export function formValues(schema: unknown, message: string, chosen: readonly (readonly string[])[]): JsonObject {
  const fields = formFields(schema, message) ?? [];
  return Object.fromEntries(fields.map(({ key, value }, at) => [key, value(chosen[at] ?? [])]));
}

/** Why the form does not take what was chosen, for people; null: it does. Nothing of the form's own text is in it. */
export function formFault(schema: unknown, chosen: readonly (readonly string[])[]): string | null {
  const fields = formFields(schema, '') ?? [];
  for (const [at, { wants }] of fields.entries()) {
    const wanted = wants(chosen[at] ?? []);
    if (wanted !== null)
      return `${fields.length === 1 ? 'it' : `answer ${at + 1} of ${fields.length}`} takes ${wanted}`;
  }
  return null;
}

function field(key: string, given: JsonObject, message: string): Field | null {
  const named = message || (firstString(given, 'title', 'description') ?? key);
  const question = [...new Set([named, firstString(given, 'description') ?? named])].join('\n');
  const make = (
    options: string[],
    multiple: boolean,
    { wants, value }: Pick<Field, 'wants' | 'value'>,
    descriptions: readonly (string | null)[] = options.map(() => null),
  ): Field | null =>
    options.length > MAX_ITEMS || options.some((option) => option === '')
      ? null
      : { key, choice: { question, options, descriptions: [...descriptions], multiple }, wants, value };
  const { type } = given;
  if (type === 'boolean') return make(['Yes', 'No'], false, yesOrNo);
  if (type === 'number' || type === 'integer') return make([], false, numberField(given));
  const options = optionsOf(type === 'array' ? asObject(given['items']) : given);
  const labels = (options ?? []).map(({ label }) => label);
  const said = (options ?? []).map(({ description }) => description);
  // What was shown comes first: another option's value may be the same text.
  const known = (text: string): string | undefined =>
    (options?.find(({ label }) => label === text) ?? options?.find(({ value }) => value === text))?.value;
  const meant = (text: string): string => known(text) ?? text;
  if (type === 'array')
    return options && make(labels, true, { wants: several(given, known), value: (texts) => texts.map(meant) }, said);
  if (type !== 'string') return null;
  const wants: Field['wants'] =
    options === null
      ? ([text = '']) => lengthWanted(given, text)
      : ([text = '']) => (known(text) === undefined ? 'one of its options' : null);
  return make(labels, false, { wants, value: ([text = '']) => meant(text) }, said);
}

const YES = /^(y|yes|true)$/i;
const yesOrNo: Pick<Field, 'wants' | 'value'> = {
  wants: ([text = '']) => (/^(y|yes|true|n|no|false)$/i.test(text) ? null : 'yes or no'),
  value: ([text = '']) => YES.test(text),
};

const NUMBER = /^[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,3})?$/i;

function numberField(given: JsonObject): Pick<Field, 'wants' | 'value'> {
  const { type, minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = given;
  const bounds = [
    ...(typeof minimum === 'number' ? [{ words: `at least ${minimum}`, fits: (n: number) => n >= minimum }] : []),
    ...(typeof above === 'number' ? [{ words: `more than ${above}`, fits: (n: number) => n > above }] : []),
    ...(typeof maximum === 'number' ? [{ words: `at most ${maximum}`, fits: (n: number) => n <= maximum }] : []),
    ...(typeof below === 'number' ? [{ words: `less than ${below}`, fits: (n: number) => n < below }] : []),
  ];
  const isKind = type === 'integer' ? Number.isSafeInteger : Number.isFinite;
  const kind = type === 'integer' ? 'a whole number' : 'a number (such as 2.5)';
  return {
    wants: ([text = '']) => {
      const value = NUMBER.test(text) ? Number(text) : Number.NaN;
      if (isKind(value) && bounds.every(({ fits }) => fits(value))) return null;
      return [kind, bounds.map(({ words }) => words).join(' and ')].filter((words) => words !== '').join(', ');
    },
    value: ([text]) => Number(text),
  };
}

/** Several of the options. */
function several(
  { minItems: least = 0, maxItems: most = Infinity }: JsonObject,
  known: (text: string) => string | undefined,
): Field['wants'] {
  return (texts) => {
    if (texts.some((text) => known(text) === undefined)) return 'its options only, with commas between them';
    if (typeof least === 'number' && texts.length < least) return `at least ${least} of its options`;
    return typeof most === 'number' && texts.length > most ? `at most ${most} of its options` : null;
  };
}

function lengthWanted({ minLength: least = 0, maxLength: most = Infinity }: JsonObject, text: string): string | null {
  const { length } = [...text]; // as JSON Schema counts
  if (typeof least === 'number' && length < least) return `at least ${least} characters`;
  return typeof most === 'number' && length > most ? `at most ${most} characters` : null;
}

interface Option {
  readonly label: string;
  readonly value: string;
  readonly description: string | null;
}

/** Null: it lists none. */
function optionsOf(given: JsonObject): readonly Option[] | null {
  const { enum: values, enumNames: names } = given;
  if (Array.isArray(values))
    return values.map((value, at) => {
      const name: unknown = Array.isArray(names) ? names[at] : undefined;
      return { label: typeof name === 'string' ? name : String(value), value: String(value), description: null };
    });
  const listed = given['oneOf'] ?? given['anyOf'];
  if (!Array.isArray(listed)) return null;
  return listed.map(asObject).map((one) => {
    const value = firstString(one, 'const') ?? '';
    return { label: firstString(one, 'title') ?? value, value, description: firstString(one, 'description') };
  });
}
