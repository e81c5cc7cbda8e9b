// What the demo plays: captured inputs of real clients, in an order that tells a story.
import { readFileSync } from 'node:fs';

const folder = new URL('../fixtures/hooks/', import.meta.url).pathname;

/** One run of the hook, and what should come of it. */
export interface Scene {
  readonly say: string;
  readonly input: Buffer;
  readonly kind: string;
  readonly told: boolean;
}

const scene = (say: string, file: string, kind: string, told: boolean): Scene => ({
  say,
  input: readFileSync(`${folder}${file}`),
  kind,
  told,
});

const claude = 'claude/2.1.197/';
const droid = 'droid/0.225.2/';

export const SCENES: readonly Scene[] = [
  scene('Claude asks for permission', `${claude}Notification-tui-permission-deny.json`, 'agent.waiting', true),
  scene('a subagent of Claude is done', `${claude}SubagentStop-print-subagent.json`, 'subagent.finished', false),
  scene('Claude has finished', `${claude}Stop-print-plain.json`, 'agent.finished', true),
  scene('the same input once more', `${claude}Stop-print-plain.json`, 'agent.finished', false),
  scene('Claude runs into a rate limit', `${claude}StopFailure-print-rate-limit.json`, 'session.failed', true),
  scene('Droid asks a question', `${droid}Notification-tui-question.json`, 'agent.waiting', true),
  scene('Droid has finished', `${droid}Stop-tui-ctrl-c.json`, 'agent.finished', true),
  scene('a Droid session ends in the middle of work', `${droid}SessionEnd-exec-plain.json`, 'session.ended', true),
];
