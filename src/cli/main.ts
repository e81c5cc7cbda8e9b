#!/usr/bin/env node
// The command line's entry.
import { VERSION } from '../lib/version.ts';

process.stdout.write(`belfry ${VERSION}\n`);
