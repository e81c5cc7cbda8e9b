// The text of a settings file as the tables it says.
import { parse, TomlError } from 'smol-toml';
import type { JsonObject } from '../../lib/json/json.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { syntaxDiagnostic } from './syntax-errors.ts';

/** Without a byte order mark, which the parser does not know. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** What the text says, or the one mistake that keeps it from being read. */
export function parseToml(text: string): { readonly input: JsonObject } | { readonly error: Diagnostic } {
  try {
    return { input: parse(text, { unsafeKeyBehaviour: 'throw' }) };
  } catch (error) {
    if (error instanceof TomlError) return { error: syntaxDiagnostic(text, error) };
    const message = error instanceof Error ? error.message : 'cannot be read';
    return { error: { line: 1, column: 1, key: '', message } };
  }
}
