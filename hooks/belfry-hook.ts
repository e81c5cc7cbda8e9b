#!/usr/bin/env node
// The hook program.
process.exitCode = 0;
