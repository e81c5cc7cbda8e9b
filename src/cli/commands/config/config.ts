// `belfry config`: check, get, set, unset, edit, export, import, path, schema, show.
import { machineConfigPath } from '../../../runtime/machine-file.ts';
import { currentEnvironment, resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Define } from '../../command-entry.ts';

interface CheckFlags {
  readonly machine?: boolean;
  readonly strict?: boolean;
}

export const define: Define = (command, io) => {
  const paths = resolveOwnPaths();
  const path = paths.config;
  command
    .command('check')
    .description('check the settings: every error with line and column, kinds that reach nobody, missing secrets')
    .argument('[FILE]', 'a file to check instead of the one in force')
    .option('--machine', 'check it as the settings of the whole machine; without FILE, those in force')
    .option('--strict', 'exit 2 for warnings too')
    .action(async (file: string | undefined, { machine, strict = false }: CheckFlags) => {
      const { checkFile, checkMachineFile, report } = await import('./check.ts');
      report(io, machine ? await checkMachineFile(paths, file) : await checkFile(paths, file, io.env), strict);
    });
  command
    .command('get')
    .description('print one setting in force, its default included')
    .argument('<PATH>', 'the setting, such as retention.days, or a section')
    .action(async (name: string) => (await import('./get.ts')).get(io, paths, name));
  command
    .command('set')
    .description('change settings; comments stay, and an invalid value is refused')
    .argument('<PATH>', 'the setting, such as retention.days or routes[0].to')
    .argument('<VALUE>', 'text, a number, true, false, or a list such as \'["desk"]\'')
    .argument('[MORE...]', 'further settings and their values: what a new channel needs comes together')
    .action(async (name: string, value: string, more: string[]) =>
      (await import('./set.ts')).set(io, paths, [name, value, ...more]),
    );
  command
    .command('unset')
    .description('take a setting or a section out of the file; its default is in force again')
    .argument('<PATH>', 'the setting, such as retention.days, quiet or routes[0].delay')
    .action(async (name: string) => (await import('./unset.ts')).unset(io, paths, name));
  command
    .command('edit')
    .description('open the settings in $VISUAL or $EDITOR and check them afterwards')
    .action(async () => (await import('./edit.ts')).edit(io, paths));
  command
    .command('export')
    .description('write settings and secrets to a file for another machine, sealed with a passphrase')
    .argument('<FILE>', 'a new file')
    .option('--plain', 'do not seal it: whoever reads the file has the secrets')
    .action(async (file: string, { plain = false }: { readonly plain?: boolean }) =>
      (await import('./export.ts')).exportSettings(io, paths, file, plain),
    );
  command
    .command('import')
    .description('take over settings and secrets that were exported on another machine')
    .argument('<FILE>', 'what `config export` wrote')
    .option('--force', 'in the place of settings and secrets that are here; those are kept in a file')
    .action(async (file: string, { force = false }: { readonly force?: boolean }) =>
      (await import('./import.ts')).importSettings(io, paths, file, force),
    );
  command
    .command('path')
    .description('print the path of the settings file')
    .action(() => (io.json ? io.data({ path, machine: machineConfigPath(currentEnvironment()) }) : io.line(path)));
  command
    .command('schema')
    .description('print the JSON Schema of the settings, for editors')
    .action(async () => {
      const [{ jsonSchema }, { registries }] = await Promise.all([
        import('../../../config/json-schema.ts'),
        import('../../../config/registries.ts'),
      ]);
      const $schema = 'https://json-schema.org/draft/2020-12/schema';
      io.line(JSON.stringify({ $schema, ...jsonSchema(registries) }, null, 2));
    });
  command
    .command('show')
    .description(
      'print the settings in force with all defaults and where each is from, secrets hidden, and the retry table',
    )
    .action(async () => (await import('./show.ts')).show(io, paths));
};
