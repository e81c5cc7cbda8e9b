// `belfry config set PATH VALUE ...`: settings that are checked together before they are written.
import { type Diagnostic, keyOf } from '../../../config/diagnostic.ts';
import { editSetting, valueCandidates } from '../../../config/toml/edit-setting.ts';
import { type Loaded, loadConfig } from '../../../config/load.ts';
import { type ConfigFiles, type MachineConfig, readMachineConfig } from '../../../config/machine/machine-config.ts';
import { registries } from '../../../config/registries.ts';
import { apiSchema } from '../../../model/settings/config.ts';
import { secretFields } from '../../../model/settings/secret-fields.ts';
import { secretRefKind } from '../../../lib/secrets/secret-ref.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { Io } from '../../io.ts';
import { pathInForce, placeInForce } from './get.ts';
import { exchangeSettings, refuseLocked, settingPath, settingsText } from './settings-file.ts';

type Path = readonly (string | number)[];

/** One setting and its new value, as TOML. */
interface Change {
  readonly path: Path;
  /** What the text typed may mean, the likelier first. */
  readonly meanings: readonly string[];
}

/** Changes the file, or refuses and leaves it as it was. `given`: names and values in turn. */
export async function set(io: Io, files: ConfigFiles, given: readonly string[]): Promise<void> {
  const { config: file } = files;
  const changes = changesOf(given);
  const { config: machine } = await readMachineConfig(files, registries);
  for (const { path } of changes) refuseLocked(path, machine);
  const before = await settingsText(file);
  refuseRoutesOfMachine(changes, before, machine);
  const { text, values, warnings } = await changed(before, changes, machine);
  await exchangeSettings(file, before, text);
  const shown = changes.map(({ path }, i) => {
    const value = values[i] ?? '';
    return { key: keyOf(path), value: isSecret(value, path) ? '(hidden)' : value };
  });
  const [first] = shown;
  if (io.json) return io.data({ ok: true, file, ...(shown.length === 1 ? first : { settings: shown }), warnings });
  for (const { line, column, key, message } of warnings)
    io.note(`warning: ${file}:${line}:${column}: ${key}: ${message}`);
  for (const { key, value } of shown) io.line(`${key} = ${value}`);
}

function changesOf(given: readonly string[]): readonly Change[] {
  if (given.length % 2 === 1)
    throw new UserError(`the value of ${given.at(-1) ?? ''} is missing: settings and values come in turn`, EXIT.usage);
  return given.flatMap((name, i) => {
    if (i % 2 === 1) return [];
    return [{ path: settingPath(name), meanings: valueCandidates(given[i + 1] ?? '') }];
  });
}

/** One's own file has none of this number, and what `config get` shows by it is the machine's. */
function refuseRoutesOfMachine(changes: readonly Change[], own: string | null, machine: MachineConfig | null): void {
  for (const { path } of changes) {
    const at = pathInForce(path, own, machine);
    if (machine === null || at === null || at[0] !== 'routes' || !placeInForce(at, own, machine).isMachine) continue;
    const whose = `that route is one of ${machine.file}, for the whole machine`;
    throw new UserError(
      `${keyOf(path)} was not changed: ${whose}; add your own with \`belfry config edit\``,
      EXIT.usage,
    );
  }
}

/** UserError where the text is no TOML, so that nothing in it can be changed by its name. */
export async function refuseUnreadable(text: string | null): Promise<void> {
  const loaded = await loadConfig(text);
  const [broken] = loaded.ok ? [] : loaded.diagnostics;
  if (broken?.key !== '') return;
  throw new UserError(`line ${broken.line}: ${broken.message}; fix this first with \`belfry config edit\``, EXIT.usage);
}

/** All changes with the first meanings that are valid together; refused with the first error otherwise. */
async function changed(
  before: string | null,
  changes: readonly Change[],
  machine: MachineConfig | null,
): Promise<{ text: string; values: readonly string[]; warnings: Extract<Loaded, { ok: true }>['warnings'] }> {
  await refuseUnreadable(before);
  /** Which meaning of each is tried. */
  const tried = changes.map(() => 0);
  let refusal: string | null = null;
  for (;;) {
    const values = changes.map(({ meanings }, i) => meanings[tried[i] ?? 0] ?? '');
    const text = await edited(before ?? '', changes, values);
    const loaded = await loadConfig(text, registries, machine);
    if (loaded.ok) return { text, values, warnings: loaded.warnings };
    const [first] = loaded.diagnostics;
    const at = changes.findIndex(
      ({ path, meanings }, i) => (tried[i] ?? 0) + 1 < meanings.length && (first?.key ?? '').startsWith(keyOf(path)),
    );
    // Where another meaning is of the wrong type, what the likelier one lacks is the better answer.
    if (refusal === null || !changes.some(({ path }) => keyOf(path) === first?.key))
      refusal = `${first?.key ? `${first.key}: ` : ''}${first?.message ?? 'is invalid'}`;
    if (at < 0)
      throw new UserError(
        `${refusal}${listHint(refusal, changes)}; nothing was changed${togetherHint(first, changes)}`,
        EXIT.usage,
      );
    tried[at] = (tried[at] ?? 0) + 1;
  }
}

async function edited(before: string, changes: readonly Change[], values: readonly string[]): Promise<string> {
  let text = before.replace(/^\uFEFF/, '');
  for (const [i, { path }] of changes.entries()) {
    const result = await editSetting(text, path, values[i] ?? '');
    if ('refused' in result) throw new UserError(`${keyOf(path)} ${result.refused}; nothing was changed`, EXIT.usage);
    text = result.text;
  }
  return text;
}

/** What was typed as the only one of a list. */
function listHint(refusal: string, changes: readonly Change[]): string {
  const meant = changes.find(({ path }) => refusal === `${keyOf(path)}: must be a list in [ ]`)?.meanings.at(-1);
  return meant === undefined ? '' : `, such as '[${meant}]'`;
}

/** A table that needs several settings is made by one command with all of them. */
function togetherHint(first: Diagnostic | undefined, changes: readonly Change[]): string {
  if (first === undefined || !first.message.startsWith('is missing')) return '';
  const names = changes.map(({ path }) => `${keyOf(path)} VALUE`);
  return `. Set them together: belfry config set ${[...names, `${first.key} VALUE`].join(' ')}`;
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
