// `belfry api` against a service under test.
import { belfry, type Ran } from './programs.ts';
import { temporaryFolder } from './home.ts';

/** The environment that leads to a service; the key is looked for in outputs. */
export const envOf = (url: string, key = 'sk-secret-0123456789') => ({
  BELFRY_API_BASE_URL: url,
  BELFRY_API_APP_URL: url,
  BELFRY_API_KEY: key,
});

/** An answer of 200 with this JSON. */
export const json = (body: unknown) => ({ status: 200, body: JSON.stringify(body) });

/** `belfry api ARGS`, run in its home. */
export function api(url: string, args: readonly string[], home = temporaryFolder()): Promise<Ran> {
  return belfry(home, ['api', ...args], { env: envOf(url), cwd: home });
}

/** A CSV file's text: so many users and limits. */
export const csvOf = (count: number): string =>
  Array.from({ length: count }, (_, i) => `u${i}@example.com,${i}`).join('\n');
