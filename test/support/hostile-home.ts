// A home whose agents say every hostile string: as a message, a folder, a branch and a session's name.
import hostile from '../fixtures/hostile.json' with { type: 'json' };
import { startDaemon } from './programs.ts';
import { homeWith, spool } from './thread.ts';

export const HOSTILE_COUNT = hostile.length;

/** Its daemon runs until the test has ended. */
export async function hostileHome(): Promise<string> {
  const home = homeWith('[channels.log]\ntype = "command"\nrun = ["true"]\n[[routes]]\nto = ["log"]\n');
  await startDaemon(home);
  const now = Date.now();
  for (const [index, text] of (hostile as readonly string[]).entries())
    spool(
      home,
      {
        session_id: `s${index} ${text}`,
        cwd: `/src/${text.replaceAll('/', '|')}`,
        hook_event_name: 'Notification',
        notification_type: 'permission_prompt',
        message: text,
      },
      now - 1_000 * (hostile.length - index),
      { agent: 'claude' },
    );
  return home;
}
