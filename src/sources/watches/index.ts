// The registry of watches: a new one is one line here. The config schema and the docs table follow from it.
import type { Watch } from '../../model/watch/watch.ts';
import { computersWatch } from './computers.ts';
import { controlsWatch } from './controls.ts';
import { readinessWatch } from './readiness.ts';
import { sessionsWatch } from './sessions.ts';
import { usageWatch } from './usage.ts';

const entries = [controlsWatch, computersWatch, readinessWatch, usageWatch, sessionsWatch] as const;

// The types of client, settings and cursor are known only inside each entry's file; users of the registry pass them through.
export const watches = entries as unknown as readonly Watch[];
