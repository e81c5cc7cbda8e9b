// Every version of the hub's schema, in order: the statements that lead to it from the one before.
import { first } from './001-first.ts';

/** Entry 0 makes version 1. Never edited once released; a change is a new entry. */
export const MIGRATIONS: readonly string[] = [first];
