// Doctor: events that could not be read.
import { unreadEvents } from '../daemon/unread-events.ts';
import { defineCheck, fail, ok } from './check.ts';

export const quarantineCheck = defineCheck({
  name: 'quarantine',
  inspects: 'events that could not be read',
  fixes: [['some are there', 'look at them, report what a client should not have sent, then delete the files']],
  run: async ({ paths: { quarantine: folder } }) => {
    const { unread, empty } = await unreadEvents(folder);
    if (unread === 0)
      return [ok(empty === 0 ? 'every event could be read' : `every event could be read; empty hook inputs: ${empty}`)];
    return [fail(`events that could not be read: ${unread}`, `look at them in ${folder}, then \`rm '${folder}'/*\``)];
  },
});
