// A healthy belfry of its own for doctor's tests: a copied package, an agent, a daemon, a receiver; everything can be broken.
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { BELFRY, type Ran, run } from '../support/programs.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

/** One finding of `belfry doctor --json`. */
export interface Found {
  readonly check: string;
  readonly level: string;
  readonly text: string;
  readonly fix?: string;
}

export interface Clinic {
  readonly home: string;
  /** BELFRY_HOME. */
  readonly own: string;
  readonly settings: string;
  readonly config: string;
  readonly receiver: Receiver;
  readonly env: Record<string, string>;
  /** Runs a line of shell, with `belfry` on its PATH. */
  sh(line: string, input?: string): Promise<Ran>;
  belfry(...args: string[]): Promise<Ran>;
  /** What is broken; empty with exit 0. */
  doctor(): Promise<Found[]>;
  /** Puts the package (again) where it is run from. */
  installPackage(): void;
}

const dist = dirname(BELFRY);

/** Installed, running, every link whole. */
export async function clinic(): Promise<Clinic> {
  const home = temporaryFolder('belfry-clinic-');
  const own = join(home, 'b');
  const bin = join(home, 'bin');
  const folder = join(home, 'package');
  const receiver = await startReceiver();
  for (const made of [own, bin, folder, join(home, '.claude')]) mkdirSync(made);
  const installPackage = (): void => {
    rmSync(join(folder, 'dist'), { recursive: true, force: true });
    cpSync(dist, join(folder, 'dist'), { recursive: true });
  };
  installPackage();
  cpSync(join(dist, '..', 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(dist, '..', 'node_modules'), join(folder, 'node_modules'));
  const program = (name: string, text: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  program('belfry', `exec '${process.execPath}' '${join(folder, 'dist', 'belfry.js')}' "$@"`);
  program('claude', 'echo "2.1.197 (Claude Code)"');
  // A service manager that runs whatever it has a unit for.
  program('systemctl', `case "$*" in *is-active*) test -f '${home}/active';; *enable*) touch '${home}/active';; esac`);
  const env = {
    PATH: `${bin}:/usr/bin:/bin`,
    HOME: home,
    BELFRY_HOME: own,
    BELFRY_NO_AUTOSTART: '1',
    AUDIT_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  };
  const config = join(own, 'config.toml');
  writeFileSync(
    config,
    `[channels.audit]\ntype = "webhook"\nurl = "${receiver.url}/in"\nsecret = "env:AUDIT_SECRET"\nallow_private = true\n\n[[routes]]\nto = ["audit"]\n`,
  );
  const self: Clinic = {
    home,
    own,
    settings: join(home, '.claude', 'settings.json'),
    config,
    receiver,
    env,
    sh: (line, input = '') => run('/bin/sh', ['-c', line], self.env, { input, cwd: home }),
    belfry: (...args) => run(join(bin, 'belfry'), args, self.env, { cwd: home }),
    doctor: async () => {
      const ran = await self.belfry('doctor', '--json');
      const { checks } = JSON.parse(ran.stdout) as { checks: { name: string; results: Omit<Found, 'check'>[] }[] };
      const broken = checks.flatMap(({ name, results }) =>
        results.filter(({ level }) => level === 'fail').map((finding) => ({ ...finding, check: name })),
      );
      if ((ran.code === 0) !== (broken.length === 0))
        throw new Error(`exit ${ran.code} with ${broken.length} broken links`);
      return broken;
    },
    installPackage,
  };
  onTestFinished(async () => {
    const file = join(own, 'run', 'daemon.json');
    if (!existsSync(file)) return;
    const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number };
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // ended already
    }
  });
  await self.belfry('install', 'claude');
  await self.belfry('start');
  return self;
}
