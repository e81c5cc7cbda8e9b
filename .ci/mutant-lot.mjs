// Draws by lot which mutants are tried, as all of them would take hours, and prints those that no test notices. The same seed draws the
// same ones as long as the files that are changed stay as they are. `BELFRY_MUTANTS`: "SHARE SEED", or "only" and the ids of those to try.
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** @param {{ readonly id: string }} mutant */
export function isDrawn({ id }) {
  const [share = '1', ...more] = (process.env['BELFRY_MUTANTS'] ?? '').split(' ');
  if (share === 'only') return more.includes(id);
  const [seed = '1'] = more;
  return createHash('sha256').update(`${seed} ${id}`).digest().readUInt32BE(0) / 2 ** 32 < Number(share);
}

/** Those that are not drawn count as ones that do not compile: they are not tried. */
class Lot {
  async init() {
    return undefined;
  }

  async check(mutants) {
    const drawn = { status: 'passed' };
    const others = { status: 'compileError', reason: 'not drawn' };
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, isDrawn(mutant) ? drawn : others]));
  }

  group(mutants) {
    return mutants.map(({ id }) => [id]);
  }
}

/** As soon as it is known: the whole takes long. */
class Unnoticed {
  tried = 0;

  onMutantTested(mutant) {
    const { fileName, location, mutatorName, replacement, status, testsCompleted = 0, coveredBy = [] } = mutant;
    if (!isDrawn(mutant)) return;
    this.tried += 1;
    if (status === 'Killed') return;
    const at = `${relative(process.cwd(), fileName)}:${location.start.line}:${location.start.column}`;
    console.log(
      `${this.tried}: ${status} ${at} ${mutatorName}: ${replacement} (${testsCompleted} of ${coveredBy.length} tests)`,
    );
  }
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.Checker, 'lot', Lot),
  declareClassPlugin(PluginKind.Reporter, 'unnoticed', Unnoticed),
];
