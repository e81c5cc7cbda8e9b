import type { Mutant } from '@stryker-mutator/api/core';

/** Whether the lot falls on this mutant. */
export function isDrawn(mutant: Pick<Mutant, 'id'>): boolean;
