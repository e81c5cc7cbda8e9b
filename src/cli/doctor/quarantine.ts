// Doctor: events that could not be read.
import { readdir } from 'node:fs/promises';
import { defineCheck, fail, ok } from './check.ts';

export const quarantineCheck = defineCheck({
  name: 'quarantine',
  inspects: 'events that could not be read',
  fixes: [['some are there', 'look at them, report what a client should not have sent, then delete the files']],
  run: async ({ paths }) => {
    const names = await readdir(paths.quarantine).catch(() => []); // no folder: nothing was put there
    if (names.length === 0) return [ok('every event could be read')];
    const folder = paths.quarantine;
    return [
      fail(`events that could not be read: ${names.length}`, `look at them in ${folder}, then \`rm '${folder}'/*\``),
    ];
  },
});
