// Installs Belfry as README.md says, from a clone of what is committed into an empty prefix, and uses it after the clone is gone.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'belfry-install-'));
const [clone, prefix, home] = ['clone', 'prefix', 'home'].map((name) => join(folder, name)) as [string, string, string];
const PATH = `${prefix}/bin:${process.env['PATH']}`;
/** npm finds its registry in the settings of whoever runs this. */
const NPM = { ...process.env, npm_config_prefix: prefix, PATH };
/** Ends with an exception where the command fails; what it complains of is printed. */
const shell = (line: string, cwd: string, env: NodeJS.ProcessEnv = { PATH, HOME: home }): string =>
  execFileSync('sh', ['-c', line], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** The lines of the section "Install it" that are commands, as they stand there. */
function installLines(readme: string): readonly string[] {
  const [, section = ''] = readme.split(/^## Install it\n/m);
  const [, block = ''] = /^((?: {4}.+\n)+)/m.exec(section) ?? [];
  return block.split('\n').flatMap((line) => line.trim() || []);
}

function check(told: boolean, otherwise: string): void {
  if (!told) throw new Error(otherwise);
}

try {
  for (const made of [prefix, home]) mkdirSync(made);
  execFileSync('git', ['clone', '--quiet', root, clone]);
  const [install = '', setup = '', ...more] = installLines(readFileSync(join(clone, 'README.md'), 'utf8'));
  check(setup === 'belfry setup' && more.length === 0, 'README.md: "Install it" is to begin with two commands');
  shell(install, clone, NPM);
  check(shell('git status --porcelain', clone).trim() === '', 'the installation changed files of the clone');
  rmSync(clone, { recursive: true });

  const program = join(prefix, 'bin', 'belfry');
  check(existsSync(program), `no ${program} after: ${install}`);
  check(!lstatSync(join(prefix, 'lib/node_modules/belfry')).isSymbolicLink(), 'the package is a link to the clone');
  check(realpathSync(program).startsWith(realpathSync(prefix)), `${program} leads out of the prefix`);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  check(shell('belfry --version', home).includes(version), 'belfry --version names another version');
  mkdirSync(join(home, '.claude'));
  // Nothing can show a notification here, which is exit 5; the hook is installed all the same.
  shell(`${setup} --yes --no-service >"$HOME/said" 2>&1 || [ $? = 5 ]`, home);
  const settings = readFileSync(join(home, '.claude', 'settings.json'), 'utf8');
  check(settings.includes('belfry-hook'), 'belfry setup installed no hook');
  shell('belfry uninstall --purge', home);
  const left = readdirSync(home).filter((name) => !['.claude', 'said', '.npm'].includes(name));
  console.log(
    `installed with: ${install}; set up, used and removed without the clone${left.length > 0 ? `; left: ${left.join(', ')}` : ''}`,
  );
} finally {
  try {
    if (existsSync(join(prefix, 'bin', 'belfry'))) shell('belfry stop >/dev/null 2>&1; :', home);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
