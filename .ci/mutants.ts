// `npm run mutants [-- SHARE SEED]`: whether the fast tests notice a change of the gate, the batch, the writer and what is held. Draws this
// share of all mutants (0.05 unless told), and lists those that no test noticed.
import { Stryker } from '@stryker-mutator/core';
import { isDrawn } from './mutant-lot.mjs';

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const [share = '0.05', seed = '1'] = process.argv.slice(2).filter((word) => word !== '--');
process.env['BELFRY_MUTANTS'] = `${share} ${seed}`;
const results = await run();
const drawn = results.filter(isDrawn);
const unnoticed = drawn.filter((one) => !isNoticed(one));
// Some survive only because the test runner was still stopping the tests of the one before: those are tried once more.
process.env['BELFRY_MUTANTS'] = ['only', ...unnoticed.map(({ id }) => id)].join(' ');
const left = unnoticed.length === 0 ? [] : (await run()).filter(isDrawn).filter((one) => !isNoticed(one));
console.log(
  `${drawn.length - left.length} of ${drawn.length} noticed, drawn from ${results.length} by the lot ${seed}`,
);

function run(): Promise<MutantResult[]> {
  return new Stryker({ configFile: '.ci/stryker.config.json' }).runMutationTest();
}

function isNoticed({ status }: MutantResult): boolean {
  return status === 'Killed' || status === 'Timeout';
}
