// The types of the built package, as a program sees them that has neither zod nor our sources.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/programs.ts';
import { temporaryFolder } from '../support/home.ts';

const root = new URL('../../', import.meta.url).pathname;

const PROGRAM = `
import { ApiError, createClient, type Client, type SessionsGetResult } from 'belfry/api';

const client: Client = createClient({ baseUrl: 'http://127.0.0.1:9', key: 'k', retries: 0 });

export async function tokens(): Promise<number> {
  const answer = await client.analytics.tokens({ startDate: '2026-02-01', endDate: '2026-02-02', group_by: 'model' });
  return answer.data.reduce((sum, row) => sum + row.billable_tokens, 0);
}
export async function emails(): Promise<(string | null | undefined)[]> {
  const all = [];
  for await (const page of client.analytics.users.pages({ startDate: '2026-02-01', endDate: '2026-02-02' }))
    all.push(...page.data.map((row) => row.user_email));
  return all;
}
export const session: Promise<SessionsGetResult> = client.sessions.get({ sessionId: 's' });
export const names = client.computers.list().then(({ computers }) => computers.map((one) => one.name));
session.catch((error: unknown) => {
  if (error instanceof ApiError && error.kind === 'unreachable') console.log(error.exit, error.status);
});
names.catch(() => undefined);
// @ts-expect-error a range has two ends
void client.analytics.tools({ startDate: '2026-02-01' });
// @ts-expect-error no such value
void client.analytics.activity({ startDate: '2026-02-01', endDate: '2026-02-01', group_by: 'user' }).catch(() => 0);
// @ts-expect-error computers have no pages
void client.computers.list.pages;
`;

test('a strict consumer compiles against belfry/api and runs', async () => {
  const folder = temporaryFolder();
  const installed = join(folder, 'node_modules', 'belfry');
  mkdirSync(join(installed, 'dist'), { recursive: true });
  for (const file of ['package.json', 'dist/api.js', 'dist/api.d.ts']) cpSync(join(root, file), join(installed, file));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
  const tsc = join(root, 'node_modules/.bin/tsc');
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    target: 'es2023',
    types: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  const compiled = await run(tsc, [], process.env, { cwd: folder, limit: 120_000 });
  expect(compiled.stdout).toBe('');
  expect(compiled.code).toBe(0);
  const output = execFileSync(process.execPath, ['--unhandled-rejections=none', 'program.js'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(output).toBe('7 null\n');
});
