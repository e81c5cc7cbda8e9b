// What the demo plays: captured inputs of real clients, in the order of a working day.
import { readFileSync } from 'node:fs';

const folder = new URL('../fixtures/hooks/', import.meta.url).pathname;

/** One run of the hook, and what is expected. */
export interface Scene {
  readonly say: string;
  readonly input: Buffer;
  readonly kind: string;
  readonly sent: boolean;
}

const scene = (say: string, file: string, kind: string, sent: boolean): Scene => ({
  say,
  input: readFileSync(`${folder}${file}`),
  kind,
  sent,
});

const claude = 'claude/2.1.197/';
const droid = 'droid/0.225.2/';

export const SCENES: readonly Scene[] = [
  scene('Claude asks for permission', `${claude}Notification-tui-permission-deny.json`, 'agent.waiting', true),
  scene(
    'A subagent of Claude finishes (you are not notified)',
    `${claude}SubagentStop-print-subagent.json`,
    'subagent.finished',
    false,
  ),
  scene('Claude finishes', `${claude}Stop-print-plain.json`, 'agent.finished', true),
  scene('The same hook runs twice (you are notified once)', `${claude}Stop-print-plain.json`, 'agent.finished', false),
  scene('Claude hits a rate limit', `${claude}StopFailure-print-rate-limit.json`, 'session.failed', true),
  scene('Droid asks a question', `${droid}Notification-tui-question.json`, 'agent.waiting', true),
  scene('Droid finishes', `${droid}Stop-tui-ctrl-c.json`, 'agent.finished', true),
  scene('A Droid session ends while it is working', `${droid}SessionEnd-exec-plain.json`, 'session.ended', true),
];
