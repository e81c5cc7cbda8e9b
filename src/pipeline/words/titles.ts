// The titles of docs/agents/README.md: project, agent and what happened; and those of a person's own wording.
import type { Event, Kind } from '../../model/event/event.ts';
import { sanitize, sanitizeLine } from '../../lib/text/text.ts';
import { formatElapsed } from '../../model/quantities.ts';
import { failureWords } from '../../model/session/stop-causes.ts';
import type { Wording } from '../../model/notification/wording-settings.ts';
import { fillTemplate, type TemplateField, type TemplateValues } from '../../model/notification/message-template.ts';
import type { NotificationContent } from '../../model/notification/notification.ts';

/** A text that says something; null: it is none. */
export const text = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

/** Longest title and body, and longest value of a field, in graphemes. */
const LIMITS = { title: 150, body: 4_000, field: 2_000, line: 120 } as const;

function part(value: unknown, key: string): string | null {
  return typeof value === 'object' && value !== null ? text((value as Readonly<Record<string, unknown>>)[key]) : null;
}

/** The value of each field, clean and bounded; null: not known. `who`: the agent as shown to people. */
function valuesOf({ title, body, count, event }: NotificationContent, who: string): TemplateValues {
  const { attributes } = event;
  const seconds = typeof attributes['seconds'] === 'number' ? attributes['seconds'] : null;
  const values: Readonly<Record<TemplateField, string | null>> = {
    title,
    body,
    message: event.message,
    project: event.project,
    branch: event.branch,
    agent: who,
    host: event.host,
    user: event.user,
    session: event.sessionId,
    cwd: event.cwd,
    detail: event.detail,
    urgency: event.urgency,
    count: String(count),
    tool: part(attributes['tool'], 'name'),
    command: part(attributes['tool'], 'summary'),
    duration: seconds === null ? null : formatElapsed(seconds),
    answer: text(attributes['last_assistant_message']),
    request: text(attributes['prompt']) ?? text(attributes['request']),
    reason: event.reason ?? failureWords(event) ?? event.detail,
    subagent: part(attributes['subagent'], 'name'),
    event: event.hookEvent,
  };
  return values;
}

type Cleaning = (value: string, limit: number) => string;

const cleaned = (values: TemplateValues, clean: Cleaning, limit: number): TemplateValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ? clean(value, limit) : null]));

const templateOf = (of: 'title' | 'body', { kind }: Event, wordings: readonly (Wording | null)[]): string | null =>
  wordings.map((wording) => wording?.[of][kind]).find((template) => template !== undefined) ?? null;

/**
 * The content in the words of the settings: those of the first wording that has a template of its kind. Values are data: braces, markup
 * and controls in them mean nothing. A title that comes out empty stays as it was.
 */
export function applyWording(
  content: NotificationContent,
  who: string,
  wordings: readonly (Wording | null)[],
): NotificationContent {
  const title = templateOf('title', content.event, wordings);
  const body = templateOf('body', content.event, wordings);
  if (title === null && body === null) return content;
  const values = valuesOf(content, who);
  const line = title === null ? '' : fillTemplate(title, cleaned(values, sanitizeLine, LIMITS.line));
  return {
    ...content,
    title: sanitizeLine(line, LIMITS.title) || content.title,
    body:
      body === null ? content.body : sanitize(fillTemplate(body, cleaned(values, sanitize, LIMITS.field)), LIMITS.body),
  };
}

/** Longest title, in graphemes. */
const TITLE = 150;
const NAME = 60;

/** Name of a tool or subagent in the event's extra facts. */
function nameIn(value: unknown): string | null {
  return typeof value === 'object' && value !== null && 'name' in value ? text(value.name) : null;
}

/** How clients name the tool in a sentence: "Qwen Code needs your permission to use write_file". */
const TOOL_IN_SENTENCE = /^.{1,60} needs (?:your )?(?:permission|approval) to (?:use|run|execute) ([\w.:-]{1,60})\.?$/i;

/** The tool that a permission is asked for, by the event's facts or the client's sentence; null: not known. */
export function namedTool(event: Event): string | null {
  const named = nameIn(event.attributes['tool']);
  if (named !== null || event.detail !== 'permission') return named;
  return TOOL_IN_SENTENCE.exec(event.message ?? '')?.[1] ?? null;
}

/** Clients name the tool that shows a plan or specification for approval after it. */
const asksForPlan = (event: Event): boolean => /plan|spec_?mode/i.test(nameIn(event.attributes['tool']) ?? '');

function waiting(event: Event, who: string): string {
  if (event.detail === 'permission') {
    const tool = namedTool(event);
    return tool === null
      ? `${who} needs your permission`
      : `${who} needs permission to run ${sanitizeLine(tool, NAME)}`;
  }
  if (event.detail === 'question') return asksForPlan(event) ? `${who} has a plan to approve` : `${who} has a question`;
  if (event.detail === 'idle') return `${who} waits for your input`;
  const said = event.urgency === 'low' ? sanitizeLine(event.message ?? '', TITLE) : '';
  return said === '' ? `${who} needs your attention` : `${who}: ${said}`;
}

function finished(event: Event, who: string): string {
  if (event.detail === 'no-answer') return `${who} stopped without an answer`;
  if (event.detail === 'background')
    return text(event.attributes['parent_session_id']) === null
      ? `${who} finished, background work still runs`
      : `${who}'s subagent finished`;
  const seconds = event.attributes['seconds'];
  const took = typeof seconds === 'number' ? formatElapsed(seconds) : null;
  return took === null ? `${who} finished` : `${who} finished after ${took}`;
}

function failed(event: Event, who: string): string {
  if (event.detail === 'vanished') return `${who} is gone`;
  if (event.detail === 'stalled') {
    const seconds = event.attributes['seconds'];
    const silent = typeof seconds === 'number' ? formatElapsed(seconds) : null;
    return silent === null ? `${who} is stalled` : `${who} is stalled, silent for ${silent}`;
  }
  if (event.detail === 'retrying') return `${who} keeps retrying a request that fails`;
  if (event.detail === 'held') return `${who} did not go on`;
  return `${who} stopped: ${failureWords(event) ?? 'unknown error'}`;
}

function ended(event: Event, who: string): string {
  const reason = event.reason === null ? '' : ` (${sanitizeLine(event.reason, NAME)})`;
  return `${who}'s session ended${event.abnormal && event.urgency !== 'low' ? ' abnormally' : ''}${reason}`;
}

function subagent(event: Event, who: string): string {
  const name = nameIn(event.attributes['subagent']);
  return name === null ? `${who}'s subagent finished` : `${who}'s subagent finished: ${sanitizeLine(name, NAME)}`;
}

/** What a client reports besides, in words; by what it does for the session. */
const REPORTS: Readonly<Record<string, (who: string, event: Event) => string>> = {
  prompted: (who) => `${who} was given work`,
  started: (who) => `${who}'s session started`,
  'subagent-started': (who) => `${who} started a subagent`,
  activity: (who) => `${who} is at work`,
  interrupted: (who) => `${who} was interrupted`,
  compacted: (who) => `${who} shortened its context`,
  resolved: (who) => `${who} got its answer`,
  retrying: (who) => `${who} tries again after an error`,
  continued: (who, { attributes: { stopped_ms: ms } }) => {
    const stood = typeof ms === 'number' ? formatElapsed(ms / 1_000) : null;
    return `${who} goes on${stood === null ? '' : `, after ${stood}`}`;
  },
};

function reported(event: Event, who: string): string {
  const words = REPORTS[event.detail ?? ''];
  return words?.(who, event) ?? `${who}: ${sanitizeLine(event.hookEvent ?? event.detail ?? 'unknown event', NAME)}`;
}

const TITLES: Partial<Readonly<Record<Kind, (event: Event, who: string) => string>>> = {
  'agent.waiting': waiting,
  'agent.finished': finished,
  'subagent.finished': subagent,
  'session.failed': failed,
  'session.ended': ended,
  'agent.other': reported,
};

/** One line. `who`: the agent as shown to people. */
export function titleOf(event: Event, who: string): string {
  if (event.presetText !== null) return sanitizeLine(event.presetText.title, TITLE) || event.kind;
  const what = (TITLES[event.kind] ?? (() => `${who}: ${event.kind}`))(event, who);
  const project = event.project === null ? '' : sanitizeLine(event.project, NAME);
  const remote = text(event.attributes['remote']);
  const where = remote === null ? project : `${project} on ${sanitizeLine(remote, NAME)}`.trim();
  return sanitizeLine(where === '' ? what : `${where}: ${what}`, TITLE);
}
