// A stand-in of a client that loads our plugin or extension: a process of its own that is told what happens and reports each call to it.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { bareEnv, belfry, type Ran } from './programs.ts';
import { until } from './wait.ts';

/** One call of our code to its client. */
export interface Call {
  readonly call: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The client while it runs. */
export interface InsideClient {
  readonly process: ChildProcess;
  /** Tells it what happens: one line of JSON. */
  tell(what: unknown): void;
  readonly calls: readonly Call[];
  /** The first call of this name, once it has come. */
  called(name: string): Promise<Call>;
}

/** A program of this name that says its version, and `belfry` in a home whose PATH has it. */
export function homeWithClient(home: string, name: string, version: string) {
  const bin = join(home, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\necho '${version}'\n`);
  chmodSync(join(bin, name), 0o755);
  const env = { PATH: `${bin}${delimiter}${process.env['PATH']}` };
  return (...args: readonly string[]): Promise<Ran> => belfry(home, args, { env });
}

/**
 * Runs `code`, a module's text, in which `told(line => ...)` and `report(call, args)` are there. Killed when the test has finished.
 * `argv`: its arguments.
 */
export async function startInside(home: string, code: string, argv: readonly string[] = []): Promise<InsideClient> {
  const file = join(home, `client-${Date.now()}-${Math.random().toString(36).slice(2)}.mjs`);
  const own = `import { createInterface } from 'node:readline';
const report = (call, args = {}) => process.stdout.write(JSON.stringify({ call, args }) + '\\n');
const told = (take) => createInterface({ input: process.stdin }).on('line', (line) => take(JSON.parse(line)));
`;
  writeFileSync(file, `${own}${code}\nreport('ready');\n`);
  const child = spawn(process.execPath, [file, ...argv], { env: bareEnv(home), stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const calls: Call[] = [];
  let rest = '';
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  child.stdout.on('data', (chunk) => {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    calls.push(...lines.map((line) => JSON.parse(line) as Call));
  });
  const called = (name: string): Promise<Call> =>
    until(() => calls.find(({ call }) => call === name), `the call ${name}`).catch((error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(calls)} ${errors}`);
    });
  await called('ready');
  return { process: child, tell: (what) => void child.stdin.write(`${JSON.stringify(what)}\n`), calls, called };
}
