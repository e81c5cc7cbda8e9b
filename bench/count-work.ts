// Preloaded into a daemon that runs from source: counts the files and statements that its work executes, from one message of its parent to the next.
import { createRequire } from 'node:module';
import { Session } from 'node:inspector/promises';

/** What was executed since counting began. */
export interface Work {
  /** Paths below `src`, of which at least one function was called. */
  readonly files: readonly string[];
  /** Texts of all statements, in order; those that begin or end a transaction left out. */
  readonly statements: readonly string[];
  readonly transactions: number;
}

const require = createRequire(import.meta.url);
const driver = require.resolve('@photostructure/sqlite');
const original = require(driver) as typeof import('@photostructure/sqlite');
const session = new Session();
session.connect();
let statements: string[] = [];
let transactions = 0;

/** Each statement says when it is used. */
class CountedDatabase extends original.DatabaseSync {
  override prepare(sql: string): ReturnType<InstanceType<typeof original.DatabaseSync>['prepare']> {
    const prepared = super.prepare(sql);
    for (const name of ['run', 'get', 'all', 'iterate'] as const) {
      const method = prepared[name].bind(prepared) as (...args: unknown[]) => unknown;
      const counted = (...args: unknown[]): unknown => {
        statements.push(sql);
        return method(...args);
      };
      Object.defineProperty(prepared, name, { value: counted });
    }
    return prepared;
  }

  override exec(sql: string): void {
    if (sql.startsWith('BEGIN')) transactions += 1;
    else if (!/^(COMMIT|ROLLBACK)/.test(sql)) statements.push(sql);
    super.exec(sql);
  }
}

// The driver's own classes cannot be changed: whoever asks for it is given this one.
const loaded = require.cache[driver];
if (loaded === undefined) throw new Error('the driver is not where it was loaded from');
loaded.exports = { ...original, DatabaseSync: CountedDatabase };

async function begin(): Promise<void> {
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  [statements, transactions] = [[], 0];
}

async function end(): Promise<Work> {
  const counted = { statements, transactions };
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const source = new URL('../src/', import.meta.url).href;
  const isUsed = ({ url, functions }: (typeof result)[number]): boolean =>
    url.startsWith(source) &&
    functions.some(({ ranges, functionName }) => functionName !== '' && ranges.some(({ count }) => count > 0));
  return {
    files: result
      .filter(isUsed)
      .map(({ url }) => url.slice(source.length))
      .sort(),
    ...counted,
  };
}

process.on('message', (what) => {
  const done = what === 'begin' ? begin() : end();
  void done.then((work) => process.send?.(work ?? null));
});
