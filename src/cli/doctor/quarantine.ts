// Doctor: events that could not be read.
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { asObject, parseJson } from '../../lib/json/json.ts';
import { QUARANTINED } from '../../lib/files/prune-folder.ts';
import { defineCheck, fail, ok } from './check.ts';

export const quarantineCheck = defineCheck({
  name: 'quarantine',
  inspects: 'events that could not be read',
  fixes: [['some are there', 'look at them, report what a client should not have sent, then delete the files']],
  run: async ({ paths }) => {
    const names = await readdir(paths.quarantine).catch(() => []); // no folder: nothing was put there
    const folder = paths.quarantine;
    const kept: string[] = [];
    for (const name of names.slice(0, QUARANTINED)) if (!(await isEmptyInput(join(folder, name)))) kept.push(name);
    const empty = names.length - kept.length;
    if (kept.length === 0)
      return [ok(empty === 0 ? 'every event could be read' : `every event could be read; empty hook inputs: ${empty}`)];
    return [
      fail(`events that could not be read: ${kept.length}`, `look at them in ${folder}, then \`rm '${folder}'/*\``),
    ];
  },
});

/** Longer than the first line of every file there. */
const HEAD = 4_096;

/** Somebody ran the hook with nothing on standard input: there is nothing to look at. */
async function isEmptyInput(path: string): Promise<boolean> {
  let file: FileHandle | null = null;
  try {
    file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    const [head = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1);
    return asObject(parseJson(head))['why'] === 'it is empty';
  } catch {
    return false; // what cannot be read counts
  } finally {
    await file?.close();
  }
}
