// Doctor: events that could not be read.
import { unreadEvents } from '../daemon/unread-events.ts';
import { defineCheck, ok, warn } from './check.ts';

export const quarantineCheck = defineCheck({
  name: 'quarantine',
  inspects: 'events that could not be read',
  fixes: [
    [
      'some are there (a note: nothing waits for them)',
      'the first line of each file says why; report what a client should not have sent, then delete the files',
    ],
  ],
  run: async ({ paths: { quarantine: folder } }) => {
    const { unread, empty } = await unreadEvents(folder);
    if (unread === 0)
      return [ok(empty === 0 ? 'every event could be read' : `every event could be read; empty hook inputs: ${empty}`)];
    const look = `\`head -n 1 '${folder}'/*\` shows why and when`;
    return [warn(`events that could not be read: ${unread}`, `${look}; \`rm '${folder}'/*\` clears them`)];
  },
});
