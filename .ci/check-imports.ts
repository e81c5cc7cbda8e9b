// Checks the import rules, cycles and reachability of every module, and that the modules were really seen.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type ICruiseResult, type IModule } from 'dependency-cruiser';
import { IMPURE, NO_PACKAGES, ONE_WAY, ONLY_FOR, PURE_PACKAGES, REGISTRIES, RULES } from './import-rules.ts';

const root = new URL('..', import.meta.url).pathname;
process.chdir(root);

const onDisk = ['src', 'hooks', 'installers'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file)),
);
const { output } = await cruise(['src', 'hooks', 'installers'], {
  tsPreCompilationDeps: true,
  doNotFollow: { path: 'node_modules' },
  exclude: { path: 'node_modules' },
});
const modules = (output as ICruiseResult).modules.filter((m) => /^(src|hooks|installers)\//.test(m.source));
const problems: string[] = [];

const seen = new Set(modules.map((m) => m.source));
for (const file of onDisk)
  if (!seen.has(file)) problems.push(`${file} was not seen: the check would pass without looking`);
if (modules.every((m) => m.dependencies.length === 0))
  problems.push('no import was seen in any module: the check would pass without looking');

/** The module a file is in: the longest rule that fits. */
function folderOf(file: string): string {
  const folder = Object.keys(RULES)
    .filter((name) => file.startsWith(`${name}/`))
    .sort((a, b) => b.length - a.length)[0];
  if (folder === undefined) problems.push(`${file} is in no module of .ci/import-rules.ts`);
  return folder ?? '';
}

function allowed(from: string, to: string): boolean {
  const folder = folderOf(from);
  if (to.startsWith(`${folder}/`)) return true;
  return (RULES[folder] ?? []).some((may) => to === `${may}.ts` || to.startsWith(`${may}/`));
}

/** The entry of a registry a file belongs to: `src/channels/slack.ts` and `src/channels/slack/x.ts` are both `slack`. */
function entryOf(registry: string, file: string): string | null {
  if (!file.startsWith(`${registry}/`)) return null;
  return (file.slice(registry.length + 1).split('/')[0] ?? '').replace(/\.ts$/, '');
}

const external = (m: IModule['dependencies'][number]): boolean => m.dependencyTypes.some((t) => t.startsWith('npm'));

for (const module of modules) {
  for (const dependency of module.dependencies) {
    const to = dependency.resolved;
    if (/^(src|hooks|installers)\//.test(to)) {
      if (!allowed(module.source, to)) problems.push(`${module.source} may not import ${to}`);
      for (const [part, users] of Object.entries(ONLY_FOR))
        if (to.startsWith(`${part}/`) && ![part, ...users].some((user) => module.source.startsWith(`${user}/`)))
          problems.push(`${module.source} may not import ${to}: it is for ${users.join(', ')} only`);
      // Cycles of types count too: two files that need each other's types are one thing cut in two.
      if (dependency.circular)
        problems.push(`cycle: ${module.source} > ${dependency.cycle?.map((step) => step.name).join(' > ')}`);
      for (const registry of REGISTRIES) {
        const from = entryOf(registry, module.source);
        const target = entryOf(registry, to);
        if (from !== null && target !== null && from !== 'index' && target !== 'shared' && from !== target)
          problems.push(`${module.source} may not import its sibling ${to}`);
        if (from === null && target !== null && target !== 'index')
          problems.push(`${module.source} may import ${registry}/index.ts only, not ${to}`);
      }
      continue;
    }
    const folder = folderOf(module.source);
    if (external(dependency)) {
      const pure = PURE_PACKAGES[folder];
      if (NO_PACKAGES.includes(folder))
        problems.push(`${module.source} may import no package, not ${dependency.module}`);
      if (pure && !pure.includes(dependency.module))
        problems.push(`${module.source} may not import the package ${dependency.module}`);
    } else if (
      folder === 'src/pipeline' &&
      dependency.coreModule &&
      IMPURE.includes(dependency.module.replace(/^node:/, '').split('/')[0] ?? '')
    ) {
      problems.push(`${module.source} is pure and may not import ${dependency.module}`);
    }
  }
}

for (const name of ONE_WAY) {
  const prefix = `${name}/`;
  const folderIn = (file: string): string => {
    const parts = file.slice(prefix.length).split('/');
    return parts.length > 1 ? (parts[0] ?? '') : '.';
  };
  /** What each inner folder imports, with one import as the evidence. */
  const imported = new Map<string, Map<string, string>>();
  for (const { source, dependencies } of modules.filter((m) => m.source.startsWith(prefix)))
    for (const { resolved } of dependencies.filter((d) => d.resolved.startsWith(prefix))) {
      const [from, to] = [folderIn(source), folderIn(resolved)];
      if (from === to) continue;
      if (!imported.has(from)) imported.set(from, new Map());
      imported.get(from)?.set(to, `${source} imports ${resolved}`);
    }
  if (imported.size === 0) problems.push(`no import between folders of ${name} was seen`);
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of imported.get(from)?.keys() ?? [])
      if (!seen.has(to)) {
        seen.add(to);
        reached(to, seen);
      }
    return seen;
  };
  for (const [from, targets] of imported)
    for (const [to, evidence] of targets)
      if (reached(to).has(from)) problems.push(`folders of ${name} import each other: ${evidence}`);
}

for (const problem of new Set(problems)) console.error(problem);
const imports = modules.reduce((sum, m) => sum + m.dependencies.length, 0);
console.log(`${modules.length} modules, ${imports} imports seen, ${new Set(problems).size} problems`);
if (problems.length > 0) process.exitCode = 1;
