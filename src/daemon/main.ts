// The daemon's process.
process.exitCode = 1;
