// `npm run mutants [-- SHARE SEED]`: whether the fast tests notice a change of the gate, the batch, the writer and what is held. Draws this
// share of all mutants (0.05 unless told), and lists those that no test noticed.
import { Stryker } from '@stryker-mutator/core';
import { isDrawn } from './mutant-lot.mjs';

const [share = '0.05', seed = '1'] = process.argv.slice(2).filter((word) => word !== '--');
process.env['BELFRY_MUTANTS'] = `${share} ${seed}`;
const results = await new Stryker({ configFile: '.ci/stryker.config.json' }).runMutationTest();
const drawn = results.filter(isDrawn);
const noticed = drawn.filter(({ status }) => status === 'Killed' || status === 'Timeout');
console.log(`${noticed.length} of ${drawn.length} noticed, drawn from ${results.length} by the lot ${seed}`);
