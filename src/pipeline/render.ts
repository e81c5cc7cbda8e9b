// Renders title and body. Text is plain; every channel escapes and truncates for itself.
import type { BackgroundTask } from '../model/agent.ts';
import type { Event } from '../model/event.ts';
import type { Context, NotificationContent } from '../model/notification.ts';
import { describeWork } from './hold.ts';
import { plainText, sanitizeLine, sanitize } from '../lib/text.ts';
import { titleOf } from './titles.ts';

/** Longest parts of a body, in graphemes. */
const LIMITS = { message: 2_000, words: 1_000, request: 200, place: 120 } as const;

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

/** Why: what the client said, what a tool is to do, what still runs. */
function reasons(event: Event): readonly string[] {
  const { tool, running } = event.attributes;
  const summary = typeof tool === 'object' && tool !== null && 'summary' in tool ? text(tool.summary) : null;
  const action = event.kind === 'agent.waiting' && summary !== null ? [sanitizeLine(summary, LIMITS.words)] : [];
  const message = event.message === null ? [] : [sanitize(event.message, LIMITS.message)];
  // Written by the classify stage, from the adapter's own list.
  const still = Array.isArray(running)
    ? [`Still running: ${sanitizeLine(describeWork(running as BackgroundTask[]), LIMITS.request)}`]
    : [];
  return [...action, ...message, ...still];
}

function lastAssistantMessage(event: Event, context: Context): string | null {
  const latest = context.messages.findLast((message) => message.role === 'assistant')?.text;
  return text(latest) ?? text(event.attributes['last_assistant_message']);
}

function request(event: Event, context: Context): string | null {
  const latest = context.messages.findLast((message) => message.role === 'user')?.text;
  return text(latest) ?? text(event.attributes['prompt']) ?? text(event.attributes['request']);
}

/** Kinds whose body quotes the session's last messages. */
const QUOTING: ReadonlySet<string> = new Set(['agent.finished', 'session.ended', 'session.failed']);

function bodyOf(event: Event, context: Context): string {
  if (event.presetText !== null) return sanitize(event.presetText.body, LIMITS.message);
  const parts = [...reasons(event)];
  if (QUOTING.has(event.kind)) {
    const words = lastAssistantMessage(event, context);
    if (words !== null && !parts.includes(sanitize(words, LIMITS.words))) parts.push(sanitize(words, LIMITS.words));
    const asked = request(event, context);
    if (asked !== null) parts.push(`You asked: ${sanitizeLine(asked, LIMITS.request)}`);
  }
  if (event.branch !== null) parts.push(`On ${sanitizeLine(event.branch, LIMITS.place)}`);
  // Clients may give as their message what the tool's input says already.
  return [...new Set(parts)].filter((part) => part !== '').join('\n');
}

function cleaned(context: Context): Context {
  return { messages: context.messages.map((message) => ({ ...message, text: plainText(message.text) })) };
}

/** The notification of one event, whole. `who`: the agent as shown to people. */
export function render(event: Event, context: Context, who: string): NotificationContent {
  return {
    title: titleOf(event, who),
    body: bodyOf(event, context),
    urgency: event.urgency,
    abnormal: event.abnormal,
    count: 1,
    event: { ...event, message: event.message === null ? null : plainText(event.message) },
    events: [event.id],
    context: cleaned(context),
  };
}
