// Completion scripts in the real shells that are here; all of them know every command of the table.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { temporaryFolder } from '../support/home.ts';
import { BELFRY, belfry, run } from '../support/programs.ts';
import { homeWith } from '../support/thread.ts';

const shown = COMMANDS.filter((entry) => entry.hidden !== true).map((entry) => entry.name);

/** What is typed, and some of the words that have to be offered, and some that must not. */
const CASES = [
  { typed: ['inst'], offers: ['install'], not: ['uninstall'] },
  { typed: ['install', 'cl'], offers: ['claude'], not: ['codex'] },
  { typed: ['uninstall', 'claude', '--dry'], offers: ['--dry-run'], not: [] },
  { typed: ['service', ''], offers: ['install', 'uninstall'], not: ['ready'] },
  { typed: ['config', 'sh'], offers: ['show'], not: ['schema'] },
  { typed: ['api', 'sessions', ''], offers: ['get', 'messages'], not: ['list'] },
  { typed: ['completion', 'z'], offers: ['zsh'], not: ['bash'] },
  { typed: ['events', '--kind', 'agent.w'], offers: ['agent.waiting'], not: ['agent.finished'] },
  { typed: ['send', 'x', '--urgency', ''], offers: ['low', 'normal', 'urgent'], not: ['--kind'] },
  { typed: ['sessions', '--agent', 'cl'], offers: ['claude'], not: ['codex'] },
  { typed: ['mute', '--channel', ''], offers: ['team', 'desk'], not: ['--all', 'audit'] },
  { typed: ['unmute', '--channel', ''], offers: ['team'], not: ['audit'] },
  { typed: ['deliveries', '--channel', ''], offers: ['team', 'audit'], not: [] },
  { typed: ['test', 't'], offers: ['team'], not: ['desk'] },
  { typed: ['-'], offers: ['--help'], not: [] },
] as const;

async function script(shell: string): Promise<string> {
  const made = await belfry(temporaryFolder(), ['completion', shell]);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  return made.stdout;
}

test.each(['bash', 'zsh', 'fish', 'powershell'])('%s knows every command', async (shell) => {
  const text = await script(shell);
  for (const name of shown) expect(text).toMatch(new RegExp(`\\b${name}\\b`));
});

test('an unknown shell', async () => {
  expect(await belfry(temporaryFolder(), ['completion', 'tcsh'])).toMatchObject({ code: 2, stdout: '' });
});

/** Prints what the shell would offer, one word a line. */
const DRIVERS: Readonly<Record<string, { program: string[]; drive: (typed: readonly string[]) => string }>> = {
  bash: {
    program: ['/bin/bash', '--norc'],
    drive: (typed) =>
      `COMP_WORDS=(belfry ${typed.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${typed.length}; _belfry; printf '%s\\n' "\${COMPREPLY[@]}"`,
  },
  zsh: {
    program: ['/usr/bin/zsh', '-f'],
    // The completion system works inside the line editor only: its two functions are given the words by hand.
    drive: (typed) => `
      _describe() { [[ $1 == -o ]] && shift; local word; for word in "\${(@P)2}"; do [[ $word == "\${words[CURRENT]}"* ]] && print -r -- "\${word%%:*}"; done }
      _files() { print -r -- FILES }
      words=(belfry ${typed.map((word) => `'${word}'`).join(' ')}); CURRENT=${typed.length + 1}; _belfry`,
  },
};

describe.each(Object.entries(DRIVERS).filter(([, { program }]) => existsSync(program[0] ?? '')))(
  '%s',
  (shell, driver) => {
    test('offers what fits', async () => {
      const text = await script(shell);
      const people = '[channels.team]\ntype = "desktop"\n[channels.desk]\ntype = "desktop"\n';
      const home = homeWith(`${people}[channels.audit]\ntype = "command"\nrun = ["true"]\n`);
      const bin = temporaryFolder();
      writeFileSync(join(bin, 'belfry'), `#!/bin/sh\nexec '${process.execPath}' '${BELFRY}' "$@"\n`, { mode: 0o755 });
      const [program = '', ...options] = driver.program;
      for (const { typed, offers, not } of CASES) {
        const load = shell === 'zsh' ? `autoload -Uz compinit; compinit -u -D; ${text}` : text;
        const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: '/nonexistent', BELFRY_HOME: home };
        const ran = await run(program, [...options, '-c', `${load}\n${driver.drive(typed)}`], env);
        expect(ran.stderr).toBe('');
        const words = ran.stdout.split('\n');
        for (const word of offers) expect(words, typed.join(' ')).toContain(word);
        for (const word of not) expect(words, typed.join(' ')).not.toContain(word);
      }
    });
  },
);
