// The options of a question, as several clients list them.
import { asObject } from '../../lib/json/json.ts';
import type { Choice } from '../../model/question/answering.ts';
import { firstString } from './fields.ts';

/** Each with what is said of it, such as the example that the client shows beside it. Null: one has no label, or there are more than `most`. */
export function optionsOf(listed: unknown, most: number): Pick<Choice, 'options' | 'descriptions'> | null {
  const given = Array.isArray(listed) ? listed.map(asObject) : [];
  const options = given.map((option) => firstString(option, 'label') ?? '');
  if (options.length > most || options.includes('')) return null;
  const said = given.map((option) => ['description', 'preview'].map((key) => firstString(option, key) ?? ''));
  return { options, descriptions: said.map((texts) => texts.filter((text) => text !== '').join('\n') || null) };
}
