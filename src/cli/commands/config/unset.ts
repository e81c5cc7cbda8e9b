// `belfry config unset PATH`: takes a setting out of the file, so that its default, or what the machine has, is in force again.
import { formatDiagnostic, keyOf } from '../../../config/diagnostic.ts';
import { type ConfigFiles, readMachineConfig } from '../../../config/machine/machine-config.ts';
import { registries } from '../../../config/registries.ts';
import { inlineToml } from '../../../config/toml/inline-toml.ts';
import { loadConfig } from '../../../config/load.ts';
import { removeSetting, withoutEmptyTable } from '../../../config/toml/edit-setting.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { Io } from '../../io.ts';
import { fromOf, pathInForce, valueAt } from './get.ts';
import { refuseUnreadable } from './set.ts';
import { exchangeSettings, settingPath, settingsText } from './settings-file.ts';
import { settingsInForce } from './show.ts';

/** One setting, or a table with all that is in it; refused where the rest would be invalid without it. */
export async function unset(io: Io, files: ConfigFiles, name: string): Promise<void> {
  const { config: file } = files;
  const path = settingPath(name);
  const key = keyOf(path);
  const before = await settingsText(file);
  await refuseUnreadable(before);
  const rest = await removeSetting((before ?? '').replace(/^\uFEFF/, ''), path);
  if (rest === null) throw new UserError(`${key} is not set in ${file}; nothing was changed`, EXIT.notFound);
  const text = await withoutEmptyTable(rest, path);
  const { config: machine } = await readMachineConfig(files, registries);
  const loaded = await loadConfig(text, registries, machine);
  const [first] = loaded.ok ? [] : loaded.diagnostics;
  if (first)
    throw new UserError(`${first.key ? `${first.key}: ` : ''}${first.message}; nothing was changed`, EXIT.usage);
  await exchangeSettings(file, before, text);
  const { settings, text: own, machine: state } = await settingsInForce(files);
  const at = pathInForce(path, own, machine) ?? path;
  // Behind an item of a list comes the next one.
  const now = typeof path.at(-1) === 'number' ? undefined : valueAt(settings, at);
  const warnings = loaded.ok ? loaded.warnings : [];
  if (io.json) return io.data({ ok: true, file, key, value: now ?? null, warnings });
  for (const warning of warnings) io.note(`warning: ${formatDiagnostic(file, warning)}`);
  const isTable = [now].flat().some((one) => typeof one === 'object');
  if (now === undefined || isTable) return io.line(`${key} is not set any more`);
  const from = (await fromOf(at, own, state)) === 'machine' ? `from ${state.file}` : 'the default';
  io.line(`${key} = ${inlineToml(now)} (${from})`);
}
