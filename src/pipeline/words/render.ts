// Renders title and body. Text is plain; every channel escapes and truncates for itself.
import type { BackgroundTask } from '../../model/agent/agent.ts';
import type { Event } from '../../model/event/event.ts';
import type { Context, NotificationContent } from '../../model/notification/notification.ts';
import { passingCause, type StopCause } from '../../model/session/stop-causes.ts';
import { describeWork } from '../what-happened/hold-for-background.ts';
import { plainText, sanitizeLine, sanitize } from '../../lib/text/text.ts';
import { namedTool, titleOf, text } from './titles.ts';

/** Longest parts of a body, in graphemes. */
const LIMITS = { message: 2_000, words: 1_000, request: 200, place: 120 } as const;

/** What the tool in the event's attributes is to do. */
function toolSummary(event: Event): string | null {
  const { tool } = event.attributes;
  return typeof tool === 'object' && tool !== null && 'summary' in tool ? text(tool.summary) : null;
}

/** Sentences of clients that say what the title says: that it waits, or asks, and no more. */
const SAYS_THE_TITLE = [
  /^.{1,60} is waiting for (?:your )?input\.?$/i,
  /^.{1,60} needs (?:your )?(?:permission|attention|approval|input)(?: to (?:use|run|execute) (?:an? tool|\d+ tools?(?:\(s\))?))?\.?$/i,
  /^.{1,60} is asking (?:the user|you) (?:a question|\d+ questions?(?:\(s\))?)\.?$/i,
  /^Tool requires confirmation\.?$/i,
];
/** Those that name the tool, which the title names when it is known. */
const NAMES_THE_TOOL = [
  /^.{1,60} needs (?:your )?(?:permission|approval) to (?:use|run|execute) .{1,100}$/i,
  /^Tool .{1,200} requires (?:confirmation|execution|editing)\.?$/i,
];

function saysNothingNew(message: string, tool: string | null): boolean {
  const patterns = tool === null ? SAYS_THE_TITLE : [...SAYS_THE_TITLE, ...NAMES_THE_TOOL];
  return patterns.some((pattern) => pattern.test(message));
}

/** Why: what a tool is to do, what the client said, what still runs. */
function reasons(event: Event): readonly string[] {
  const { running } = event.attributes;
  const summary = toolSummary(event);
  const name = namedTool(event);
  const waits = event.kind === 'agent.waiting';
  // The text of a question or plan is the message, whole.
  const shown = waits && summary !== null && (event.detail !== 'question' || event.message === null) ? summary : null;
  const said = event.message === null ? '' : sanitize(event.message, LIMITS.message);
  const message = said === '' || (waits && saysNothingNew(said, name)) ? [] : [said];
  // Written by the classify stage, from the adapter's own list.
  const still = Array.isArray(running)
    ? [`Still running: ${sanitizeLine(describeWork(running as BackgroundTask[]), LIMITS.request)}`]
    : [];
  return [...(shown === null ? [] : [sanitize(shown, LIMITS.words)]), ...message, ...still];
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

/** What is said of a session that may go on by itself, so that somebody who minds can prevent it. */
const GOES_ON =
  'If answering is installed for it, Belfry lets it go on in a few minutes; `belfry continue --not-now` prevents that.';

function bodyOf(event: Event, context: Context, title: string, resume: readonly StopCause[]): string {
  if (event.presetText !== null) return sanitize(event.presetText.body, LIMITS.message);
  const parts = [...reasons(event)];
  const quotes = QUOTING.has(event.kind);
  const words = quotes ? lastAssistantMessage(event, context) : null;
  if (words !== null) parts.push(sanitize(words, LIMITS.words));
  // A client that waits without saying for what: then at least what it works on.
  const asked = quotes || (event.kind === 'agent.waiting' && parts.length === 0) ? request(event, context) : null;
  if (asked !== null) parts.push(`You asked: ${sanitizeLine(asked, LIMITS.request)}`);
  if (event.branch !== null) parts.push(`On ${sanitizeLine(event.branch, LIMITS.place)}`);
  const cause = event.kind === 'session.failed' ? passingCause(event.detail) : null;
  if (cause !== null && resume.includes(cause)) parts.push(GOES_ON);
  return withoutRepeats(parts, title).join('\n');
}

/** For comparing sentences: letters and digits only. */
const bare = (part: string): string =>
  part
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Parts that neither the title nor an earlier part says already, whole or as its beginning. */
function withoutRepeats(parts: readonly string[], title: string): readonly string[] {
  const said: string[] = [` ${bare(title)} `];
  return parts.filter((part) => {
    // Where it was cut a word may be half.
    const words = bare(part.endsWith('…') ? part.split(/\s+/u).slice(0, -1).join(' ') : part);
    // What has no letters, or one word, is no sentence: `main` may be the branch and the message.
    const repeated = words.includes(' ')
      ? said.some((one) => one.includes(` ${words} `))
      : parts.indexOf(part) < said.length - 1;
    said.push(` ${words} `);
    return part !== '' && !repeated;
  });
}

function cleaned(context: Context): Context {
  return { messages: context.messages.map((message) => ({ ...message, text: plainText(message.text) })) };
}

/** What the title does not say: what a tool is to do, what the client said, what still runs. */
export function reasonsOf(event: Event, title: string): readonly string[] {
  return withoutRepeats(reasons(event), title);
}

/** The notification of one event, whole. `who`: the agent as shown to people; `resume`: after what a session goes on by itself. */
export function render(
  event: Event,
  context: Context,
  who: string,
  resume: readonly StopCause[] = [],
): NotificationContent {
  const title = titleOf(event, who);
  return {
    title,
    body: bodyOf(event, context, title, resume),
    urgency: event.urgency,
    abnormal: event.abnormal,
    count: 1,
    event: { ...event, message: event.message === null ? null : plainText(event.message) },
    events: [event.id],
    context: cleaned(context),
  };
}
