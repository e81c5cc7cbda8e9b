// Programs that stand around a command as an agent, an editor or a shell would: real processes with their names.
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './home.ts';
import { bareEnv, BELFRY, type Ran, run } from './programs.ts';
import { until } from './wait.ts';

/** A shell in a process of this name. */
export function shellCalled(name: string): string {
  const path = join(temporaryFolder(), name);
  copyFileSync('/bin/bash', path);
  return path;
}

/** `belfry WORDS` for a script of a shell. */
export const commandLine = (words: string): string => `'${process.execPath}' '${BELFRY}' ${words}`;

/** Runs a script in this shell to its end; the shell stays above what it runs. */
export const runIn = (shell: string, home: string, script: string, env: Record<string, string> = {}): Promise<Ran> =>
  run(shell, ['-c', `${script}\nexit $?`], bareEnv(home, env));

/** How a command ended that nobody waited for. */
export interface LeftBehind {
  readonly code: number;
  readonly said: string;
}

/**
 * Runs a script in a session of its own, led by this shell, that leaves `bash JOB` behind: the job waits for the process $PARENT to
 * leave, then runs belfry with these words. All of the session is ended with the test.
 */
export async function leftBehind(
  shell: string,
  home: string,
  script: (job: string) => string,
  words: string,
  env: Record<string, string> = {},
): Promise<LeftBehind> {
  const folder = temporaryFolder();
  const [job, said, code] = ['job', 'said', 'code'].map((name) => join(folder, name)) as [string, string, string];
  const waits = 'while kill -0 "$PARENT" 2>/dev/null; do :; done';
  writeFileSync(job, `${waits}\n${commandLine(words)} >'${said}' 2>&1\necho $? >'${code}'\n`);
  const child = spawn(shell, ['-c', script(job)], { env: bareEnv(home, env), detached: true, stdio: 'ignore' });
  onTestFinished(() => endGroup(child.pid));
  await until(() => existsSync(code) && readFileSync(code, 'utf8') !== '', 'the command that was left behind', 60_000);
  return { code: Number(readFileSync(code, 'utf8')), said: readFileSync(said, 'utf8') };
}

function endGroup(pid = 0): void {
  try {
    if (pid > 1) process.kill(-pid, 'SIGKILL');
  } catch {
    // all of it has ended
  }
}
