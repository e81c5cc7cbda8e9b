// Watches the enterprise settings: each new revision, who made it, and what it changes (sections 2.8 and 4.3).
import type * as z from 'zod';
import type { Client } from '../../api/index.ts';
import { defineWatch, type Observation } from '../../model/watch/watch.ts';
import {
  type SettingsChange,
  difference,
  type Json,
  describeChange,
  withoutSecrets,
} from '../../api/changes/settings-difference.ts';
import { loosens } from '../../api/changes/loosened-settings.ts';
import { afterInterval, everySchema } from '../../model/watch/poll-interval.ts';

/** The newest revision seen, with its settings; secrets are digests. */
interface Cursor {
  readonly revision: number;
  readonly settings: Json;
}

type Revision = Awaited<ReturnType<Client['enterpriseControls']['history']>>['changes'][number];

/** Most pages of 100 revisions read in one poll. */
const MOST_PAGES = 50;
/** Most lines of a difference in a notification. */
const MOST_LINES = 12;

const schema = everySchema(600_000);

/** `[watches.controls]`. */
export const controlsWatch = defineWatch<Client, z.output<typeof schema>, Cursor>({
  name: 'controls',
  schema,
  next: afterInterval,
  poll: async ({ client, cursor, now, signal }) => {
    const found: Revision[] = [];
    let pages = 0;
    for await (const page of client.enterpriseControls.history.pages(
      { limit: cursor === null ? 1 : 100 },
      { signal },
    )) {
      found.push(...page.changes.filter((change) => cursor === null || change.revision > cursor.revision));
      // Newest first: a page that reaches back to what is known is the last one needed.
      const known = page.changes.some((change) => cursor === null || change.revision <= cursor.revision);
      if (known || ++pages >= MOST_PAGES) break;
    }
    const fresh = [...new Map(found.map((change) => [change.revision, change])).values()].sort(
      (a, b) => a.revision - b.revision,
    );
    const newest = fresh.at(-1);
    if (newest === undefined) return { observations: [], cursor: cursor ?? { revision: 0, settings: {} } };
    const next: Cursor = { revision: newest.revision, settings: settingsOf(newest) };
    if (cursor === null) return { observations: [], cursor: next };
    let before = cursor.settings;
    const observations = fresh.map((change) => {
      const after = settingsOf(change);
      const observation = toObservation(change, difference(before, after), now);
      before = after;
      return observation;
    });
    return { observations, cursor: next };
  },
  docs: {
    summary:
      'Each new revision of the enterprise settings: who changed what, and when. A change that loosens a limit is urgent.',
    example: 'every = "10m"',
  },
});

/** The client has read it as JSON. */
function settingsOf(change: Revision): Json {
  return withoutSecrets(change.settings as Json);
}

function toObservation(change: Revision, changes: readonly SettingsChange[], now: number): Observation {
  const loose = changes.filter(loosens);
  const who = change.user?.name || change.user?.email || change.user?.id || 'somebody';
  const at = Date.parse(change.updatedAt ?? '');
  const ordered = [...loose, ...changes.filter((other) => !loose.includes(other))];
  const lines = ordered
    .slice(0, MOST_LINES)
    .map((entry) => `${loose.includes(entry) ? 'Loosened: ' : ''}${describeChange(entry)}`);
  if (ordered.length > MOST_LINES) lines.push(`and ${ordered.length - MOST_LINES} more`);
  const email = change.user?.email && change.user.email !== who ? ` (${change.user.email})` : '';
  return {
    occurrence: `revision ${change.revision}`,
    kind: 'controls.changed',
    detail: loose.length > 0 ? 'loosened' : null,
    urgency: loose.length > 0 ? 'urgent' : 'normal',
    abnormal: false,
    title: `Enterprise settings ${loose.length > 0 ? 'loosened' : 'changed'} by ${who} (revision ${change.revision})`,
    body: [
      `By ${who}${email}${change.updatedAt ? `, ${change.updatedAt}` : ''}`,
      ...(lines.length > 0 ? lines : ['No setting differs from the revision before.']),
    ].join('\n'),
    sessionId: null,
    project: null,
    at: Number.isFinite(at) ? at : now,
    attributes: { revision: change.revision },
  };
}
