// Which files a finished turn edited: read from its transcript once somebody looks at it.
import { isAbsolute, relative } from 'node:path';
import { readEditedFiles } from '../../enrichment/edited-files.ts';
import type { ApiResult } from '../../http/api/contract.ts';
import { Refusal } from '../../http/api/refusal.ts';
import type { Handlers } from '../../http/api/routes.ts';
import { sanitizeLine } from '../../lib/text/text.ts';
import { HERE } from '../../model/session/whereabouts.ts';
import type { CommandContext } from '../commands/context.ts';

/** Files that are named, and graphemes of a name. */
const MOST = 50;
const LONGEST = 300;
/** Ms by which a record may be stamped after the hook that ends its turn. */
const TICK = 250;

const NONE: ApiResult<'events.files'> = { files: [], count: 0, whole: false };

export function fileHandlers({ store, files, home }: CommandContext): Pick<Handlers, 'events.files'> {
  return {
    'events.files': async ({ params }) => {
      const stored = await store.event(params.id);
      if (stored === null) throw new Refusal(404, 'there is no event of this id');
      const { event } = stored;
      const { host, sessionId, at, cwd, attributes } = event;
      if (host !== HERE.host || sessionId === null) return NONE;
      const transcript = (await store.session({ ...event, sessionId }))?.transcript ?? null;
      if (transcript === null) return NONE;
      const { seconds } = attributes;
      const from = typeof seconds === 'number' ? at - seconds * 1_000 - TICK : null;
      const { paths, whole } = await readEditedFiles(transcript, { files, home }, { from, to: at + TICK });
      return { files: paths.slice(-MOST).map((path) => nameOf(path, cwd)), count: paths.length, whole };
    },
  };
}

/** Relative where it is in the folder; hidden and control characters are of no use in a name. */
function nameOf(path: string, cwd: string | null): string {
  const below = cwd === null || !isAbsolute(path) ? '' : relative(cwd, path);
  return sanitizeLine(below === '' || below.startsWith('..') || isAbsolute(below) ? path : below, LONGEST);
}
