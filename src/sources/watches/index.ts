// The registry of watches: a new one is one line here. The config schema and the docs table follow from it.
import type { Watch } from '../../model/watch.ts';
import { computers } from './computers.ts';
import { controls } from './controls.ts';
import { readiness } from './readiness.ts';
import { sessions } from './sessions.ts';
import { usage } from './usage.ts';

const entries = [controls, computers, readiness, usage, sessions] as const;

// Client, settings and cursor matter only inside each entry's file; whoever holds the registry passes them through unseen.
export const watches = entries as unknown as readonly Watch[];
