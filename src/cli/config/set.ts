// `belfry config set PATH VALUE`: one setting, checked before it is written.
import { realpath } from 'node:fs/promises';
import { keyOf } from '../../config/diagnostic.ts';
import { editSetting, parseSettingPath, valueCandidates } from '../../config/edit-setting.ts';
import { type Loaded, loadConfig } from '../../config/load.ts';
import { registries } from '../../config/registries.ts';
import { apiSchema } from '../../model/config.ts';
import { secretFields } from '../../model/secret-fields.ts';
import { secretRefKind } from '../../lib/secret-ref.ts';
import { EXIT, UserError } from '../../model/errors.ts';
import type { Io } from '../io.ts';
import { replaceSettings, settingsText } from './settings-file.ts';

type Path = readonly (string | number)[];

/** Changes the file, or refuses and leaves it as it was. */
export async function set(io: Io, file: string, name: string, given: string): Promise<void> {
  const path = parseSettingPath(name);
  if (path === null)
    throw new UserError(
      `"${name}" is not the name of a setting; write one such as retention.days or routes[0].to`,
      EXIT.usage,
    );
  const target = await realpath(file).catch(() => file); // behind a link, or not there yet
  const before = await settingsText(target);
  const { text, value, warnings } = await changed(before, path, given);
  if ((await settingsText(target)) !== before) throw new UserError(`${file} was changed meanwhile: try again`);
  await replaceSettings(target, text);
  const shown = isSecret(value, path) ? '(hidden)' : value;
  if (io.json) return io.data({ ok: true, file, key: keyOf(path), value: shown, warnings });
  for (const { line, column, key, message } of warnings)
    io.note(`warning: ${file}:${line}:${column}: ${key}: ${message}`);
  io.line(`${keyOf(path)} = ${shown}`);
}

/** The first meaning of the value that is valid; refused with the errors of the last one otherwise. */
async function changed(
  before: string | null,
  path: Path,
  given: string,
): Promise<{ text: string; value: string; warnings: Extract<Loaded, { ok: true }>['warnings'] }> {
  const was = await loadConfig(before);
  const [broken] = was.ok ? [] : was.diagnostics;
  if (broken?.key === '')
    throw new UserError(
      `line ${broken.line}: ${broken.message}; fix this first with \`belfry config edit\``,
      EXIT.usage,
    );
  let refusal = '';
  for (const value of valueCandidates(given)) {
    const edited = await editSetting((before ?? '').replace(/^\uFEFF/, ''), path, value);
    if ('refused' in edited) throw new UserError(`${keyOf(path)} ${edited.refused}; nothing was changed`, EXIT.usage);
    const loaded = await loadConfig(edited.text);
    if (loaded.ok) return { text: edited.text, value, warnings: loaded.warnings };
    const [first] = loaded.diagnostics;
    if (refusal === '' || first?.key !== keyOf(path))
      refusal = `${first?.key ? `${first.key}: ` : ''}${first?.message ?? 'is invalid'}`;
  }
  throw new UserError(`${refusal}; nothing was changed`, EXIT.usage);
}

/** A secret in plain text is not repeated on the terminal. */
function isSecret(value: string, path: Path): boolean {
  const [section, ...rest] = path;
  const isAt = (schema: unknown, below: Path): boolean =>
    secretFields(
      schema,
      below.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value),
    ).length > 0;
  const held =
    section === 'api'
      ? isAt(apiSchema, rest)
      : section === 'channels' && registries.channels.some(({ schema }) => isAt(schema, rest.slice(1)));
  return held && secretRefKind(value.replace(/^["']/, '')) === 'literal';
}
