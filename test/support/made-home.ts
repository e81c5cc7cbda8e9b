// A home with something of everything that the page shows: sessions in several states, deliveries that were sent and given up, a mute.
import { hoursIn } from './hours.ts';
import { type RunningDaemon, startDaemon } from './programs.ts';
import { homeWith, spool } from './thread.ts';

const SETTINGS = `
[channels.log]
type = "command"
run = ["true"]

[channels.phone]
type = "command"
run = ["false"]

[[routes]]
match = { urgency = "urgent" }
to = ["log", "phone"]
escalate = [{ after = "10m", to = ["phone"] }]

[[routes]]
to = ["log"]

[quiet]
hours = ["${hoursIn(10, 11)}"]
`;

const WORDS = [
  'All 214 tests pass; the migration is behind a flag.',
  'I moved the retry into the client and removed two copies of it.',
  'The parser now keeps comments. Next: the printer.',
];

/** Its daemon runs until the test has ended. */
export async function homeWithEverything(): Promise<{ readonly home: string; readonly daemon: RunningDaemon }> {
  const home = homeWith(SETTINGS);
  const daemon = await startDaemon(home);
  const now = Date.now();
  const say = (session: string, cwd: string, ago: number, input: Record<string, unknown>): void => {
    spool(home, { session_id: session, cwd, ...input }, now - ago, { agent: 'claude' });
  };
  say('a1', '/src/payments', 240_000, { hook_event_name: 'UserPromptSubmit', prompt: 'add the ledger' });
  say('a1', '/src/payments', 190_000, {
    hook_event_name: 'Notification',
    notification_type: 'permission_prompt',
    message: 'Claude needs your permission to use Bash',
  });
  say('a2', '/src/search', 700_000, { hook_event_name: 'UserPromptSubmit', prompt: 'make the index smaller' });
  for (const [index, words] of WORDS.entries())
    say(`b${index}`, `/src/${['web', 'parser', 'billing'][index]}`, 900_000 - index * 200_000, {
      hook_event_name: 'Stop',
      last_assistant_message: words,
    });
  say('c1', '/src/infra', 400_000, { hook_event_name: 'SessionEnd', reason: 'error' });
  say('d1', '/src/<b>bold</b>', 350_000, {
    hook_event_name: 'Stop',
    last_assistant_message: '<img src=x onerror="document.title=1">"><script>1</script>',
  });
  return { home, daemon };
}
