// Abuse of the shell hook under this system's sh; test/torture/abuse-shells.test.ts does the same under others.
import { test } from 'vitest';
import { runCase } from './abuse/run-case.ts';
import { casesFor } from './abuse/table.ts';

test.each(casesFor('fast'))('$name', (abuse) => runCase(abuse, 'fast'));
