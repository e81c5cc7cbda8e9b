// What the last days would have been under other rules, beside what they are under those in force.
import type { ApiResult } from '../../../http/api/contract.ts';
import { nextTurn } from '../../../lib/clock.ts';
import { oneLine } from '../../../lib/text/text.ts';
import { titleOf, applyWording } from '../../../pipeline/index.ts';
import type { Event } from '../../../model/event/event.ts';
import { notificationIdOf, threadKeyOf } from '../../../model/ids.ts';
import type { StoredEvent, StoreReader } from '../../../store/contract.ts';
import { type ComparedRules, comparedSentence, compareRules } from '../../processing/compare-rules.ts';
import { createCourse, type PastEvent, type RuleSet } from '../../processing/past-course.ts';
import type { ReadContext } from './context.ts';

/** What is asked. */
export interface RulesPreviewCall {
  readonly present: RuleSet;
  readonly proposed: RuleSet;
  readonly days: number;
}

export type RulesPreview = NonNullable<ApiResult<'rules.preview'>['preview']>;

/** Latest events that are looked at, and those that are read at once. */
const MOST = 5_000;
const PAGE = 500;
/** Events that are decided before other reads have their turn, and ms after which no more are. */
const TURN = 100;
const BUDGET = 8_000;
/** Longest text of an event that is kept. */
const MAX_TEXT = 500;
/** Titles that are shown beside each other. */
const MOST_TITLES = 5;

const DAY = 24 * 3_600_000;

/** What routes and titles look at: an event may hold 64 KB, and thousands are kept here. */
function slim(event: Event): Event {
  const cut = (value: unknown): unknown => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : value);
  const named = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return undefined;
    const { name, summary } = value as Readonly<Record<string, unknown>>;
    return { name: cut(name), summary: cut(summary) };
  };
  const { seconds, parent_session_id, channel, tool, subagent, last_assistant_message, prompt, request } =
    event.attributes;
  const kept = { seconds, parent_session_id, channel, last_assistant_message, prompt, request };
  const entries = Object.entries(kept).filter(([, value]) => value !== undefined);
  const attributes = {
    ...Object.fromEntries(entries.map(([key, value]) => [key, cut(value)])),
    ...(tool === undefined ? {} : { tool: named(tool) }),
    ...(subagent === undefined ? {} : { subagent: named(subagent) }),
  };
  const { presetText, message } = event;
  const preset = presetText && { title: presetText.title.slice(0, MAX_TEXT), body: '' };
  return { ...event, attributes, presetText: preset, message: message && message.slice(0, MAX_TEXT) };
}

/** Routes were asked about it: it was no repeat, no mere signal, and nobody asked for it to go somewhere. */
const isRouted = ({ verdicts }: StoredEvent): boolean => verdicts.some(({ stage }) => stage === 'route');

interface Read {
  /** In the order of their time. */
  readonly events: readonly PastEvent[];
  /** There are more. */
  readonly isCut: boolean;
}

/** The latest events since then, each with when it was over. `over`: nobody waits for them any more. */
async function pastEvents(store: StoreReader, since: number, over: AbortSignal): Promise<Read> {
  const found: PastEvent[] = [];
  /** When each session's next event came. */
  const next = new Map<string, number>();
  let before: { readonly at: number; readonly row: number } | undefined;
  let seen = 0;
  while (seen < MOST) {
    const page = await store.events({ since, limit: PAGE, ...(before && { before }) });
    const [oldest] = page;
    if (oldest === undefined) return { events: found.reverse(), isCut: false };
    seen += page.length;
    before = { at: oldest.event.at, row: oldest.row };
    const ids = page.filter(isRouted).map(({ event }) => notificationIdOf(event.id));
    const known = new Map((await store.notifications({ ids, limit: PAGE })).map((one) => [one.id, one]));
    for (const stored of page.toReversed()) {
      const thread = threadKeyOf(stored.event);
      if (isRouted(stored)) {
        const notification = known.get(notificationIdOf(stored.event.id));
        // Of what nobody was notified of nothing is known but that its session went on.
        const resolvedAt =
          notification === undefined ? (next.get(thread) ?? null) : (notification.resolved?.at ?? null);
        const acknowledgedAt = notification?.acknowledged?.at ?? null;
        found.push({ event: slim(stored.event), verdicts: stored.verdicts, resolvedAt, acknowledgedAt });
      }
      next.set(thread, stored.event.at);
    }
    await nextTurn();
    over.throwIfAborted();
  }
  return { events: found.reverse(), isCut: true };
}

/** The whole answer; `performance` says how long it takes. Throws the reason of `over` once that fires: nobody waits for it any more. */
export async function previewRules(
  { store, now, displayName, rules: { home } }: ReadContext,
  { present, proposed, days }: RulesPreviewCall,
  over: AbortSignal,
): Promise<RulesPreview> {
  const since = now - days * DAY;
  const begun = performance.now();
  const { events, isCut } = await pastEvents(store, since, over);
  const sides = [present, proposed].map((rules) => createCourse(rules, home, now));
  let taken = 0;
  for (const past of events) {
    if (taken % TURN === 0) {
      await nextTurn();
      over.throwIfAborted();
      if (performance.now() - begun > BUDGET) break;
    }
    for (const course of sides) course.take(past);
    taken++;
  }
  const [before, after] = sides.map((course) => course.end());
  if (before === undefined || after === undefined) throw new Error('two courses have two ends');
  const decided = events.slice(0, taken).map(({ event }) => event);
  const compared = compareRules(
    decided,
    { result: before, profiles: present.profiles },
    { result: after, profiles: proposed.profiles },
  );
  const isLate = taken < events.length;
  const first = isCut ? decided[0]?.at : since;
  return {
    from: new Date(first ?? since).toISOString(),
    until: new Date(isLate ? (decided.at(-1)?.at ?? since) : now).toISOString(),
    events: taken,
    cut: isLate ? 'time' : isCut ? 'events' : null,
    text: comparedSentence(compared),
    ...rowsOf(compared, displayName),
    titles: titlesOf(decided, { present, proposed }, displayName),
  };
}

function rowsOf(compared: ComparedRules, displayName: ReadContext['displayName']) {
  const { messages, channels, urgent, prompts, changed, changes } = compared;
  const count = ({ messages: all, onlyAway, inDigests }: typeof messages.before) => ({
    messages: all,
    only_away: onlyAway,
    in_digests: inDigests,
  });
  return {
    messages: { before: count(messages.before), after: count(messages.after) },
    channels: channels.map(({ channel, audience, before, after }) => ({
      channel,
      audience,
      before: count(before),
      after: count(after),
    })),
    urgent: { ...urgent },
    prompts: { ...prompts },
    changed,
    changes: changes.map(({ event, difference, before, after }) => ({
      event_id: event.id,
      at: new Date(event.at).toISOString(),
      kind: event.kind,
      urgency: event.urgency,
      title: oneLine(titleOf(event, displayName(event.agent))),
      difference,
      before: [...before],
      after: [...after],
    })),
  };
}

/** Titles that would read otherwise, the newest first: one of each. */
function titlesOf(
  events: readonly Event[],
  { present, proposed }: Pick<RulesPreviewCall, 'present' | 'proposed'>,
  displayName: ReadContext['displayName'],
): RulesPreview['titles'] {
  if (JSON.stringify(present.config.messages) === JSON.stringify(proposed.config.messages)) return [];
  const found = new Map<string, RulesPreview['titles'][number]>();
  for (const event of events.toReversed()) {
    if (found.size >= MOST_TITLES) break;
    const who = displayName(event.agent);
    const [before = '', after = ''] = [present, proposed].map(({ config }) => titleIn(event, who, config.messages));
    if (before !== after && !found.has(event.kind)) found.set(event.kind, { event_id: event.id, before, after });
  }
  return [...found.values()];
}

function titleIn(event: Event, who: string, wording: RuleSet['config']['messages']): string {
  const { urgency, abnormal, id } = event;
  const content = { title: titleOf(event, who), body: '', urgency, abnormal, count: 1, event, events: [id] };
  return oneLine(applyWording({ ...content, context: { messages: [] } }, who, [wording]).title);
}
