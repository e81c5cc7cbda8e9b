// The inputs captured from real agent clients: test/fixtures/hooks/<client>/<version>/<event>-<scenario>.json.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = new URL('../fixtures/hooks/', import.meta.url).pathname;

/** One captured input. */
export interface Sample {
  readonly agent: string;
  readonly version: string;
  readonly event: string;
  readonly scenario: string;
  readonly path: string;
  readonly bytes: Buffer;
  readonly input: Record<string, unknown>;
}

/** All captured inputs of an agent (or of all), in the order of their names. */
export function samples(agent?: string): Sample[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && (agent === undefined || entry.name === agent))
    .flatMap((entry) => readdirSync(join(folder, entry.name)).map((version) => ({ agent: entry.name, version })))
    .flatMap(({ agent: name, version }) =>
      readdirSync(join(folder, name, version))
        .filter((file) => file.endsWith('.json'))
        .sort()
        .map((file) => {
          const path = join(folder, name, version, file);
          const bytes = readFileSync(path);
          const [, event = '', scenario = ''] = /^([^-]+)-(.*)\.json$/.exec(file) ?? [];
          return {
            agent: name,
            version,
            event,
            scenario,
            path,
            bytes,
            input: JSON.parse(bytes.toString('utf8')) as Record<string, unknown>,
          };
        }),
    );
}

/** One captured input by its names; throws when there is none. */
export function sample(agent: string, event: string, scenario: string): Sample {
  const found = samples(agent).find((s) => s.event === event && s.scenario === scenario);
  if (!found) throw new Error(`no captured input ${agent} ${event}-${scenario}`);
  return found;
}
