// Shows the state of every session as long as the broker can be reached; whatever was shown before and is gone is cleared.
import { setMaxListeners } from 'node:events';
import { retryWait } from '../../lib/retry.ts';
import { isObject, parseJson } from '../../lib/json/json.ts';
import type { ChannelTools } from '../../model/channel/channel.ts';
import { HERE } from '../../model/session/whereabouts.ts';
import type { Level } from '../../model/notification/notification.ts';
import type { SessionBatch, SessionFeed } from '../../model/session/session-feed.ts';
import type { SessionRecord } from '../../model/session/session.ts';
import type { Broker } from './broker.ts';
import type { Connection, TopicMessage } from './connection.ts';
import { sessionSensor, waitingSensor, withoutSensor } from './discovery.ts';
import { topicsOf } from './topics.ts';
import { truncate } from '../../lib/text/text.ts';
import { sessionJson } from '../../model/row-json.ts';

/** What is shown, and how. */
export interface MirrorSettings {
  readonly prefix: string;
  readonly discovery: boolean;
  readonly level: Level;
}

type MirrorTools = Pick<ChannelTools, 'now' | 'log'>;

/** A connection that lasted so long was none that failed: ms. */
const LASTED = 60_000;
/** Messages under way at once. */
const AT_ONCE = 20;
/** A state in which only the time of the last event changed is published again after this: ms. */
const REFRESH = 60_000;

/** Until the signal fires; then it says goodbye: nothing is shown any more. A lost connection is made again by the schedule of deliveries. */
export async function mirrorSessions(
  broker: Broker,
  settings: MirrorSettings,
  feed: SessionFeed,
  tools: MirrorTools,
  signal: AbortSignal,
): Promise<void> {
  broker.isMirrored = true;
  for (let failures = 0; !signal.aborted; ) {
    const found = await broker.connection();
    if (found.ok) {
      if (failures > 0) tools.log('mqtt: sessions are shown again');
      const began = tools.now();
      await new Mirror(found.connection, settings, tools).show(broker, feed, signal);
      // One that the broker closes at once, such as for a topic that it forbids, is not made again and again.
      failures = Math.abs(tools.now() - began) < LASTED ? failures + 1 : 0;
    } else {
      if (failures === 0) tools.log('mqtt: sessions are not shown', { error: found.error });
      failures++;
    }
    if (!signal.aborted) await broker.pause(retryWait(failures, Math.random()), signal);
  }
  await broker.farewell();
}

interface Shown {
  readonly text: string;
  readonly state: string;
  /** Unix ms. */
  readonly at: number;
}

/** What was shown over one connection. */
class Mirror {
  readonly #connection: Connection;
  readonly #settings: MirrorSettings;
  readonly #tools: MirrorTools;
  readonly #topics: ReturnType<typeof topicsOf>;
  /** By topic. */
  readonly #shown = new Map<string, Shown>();
  /** Topics of sessions of this user that the broker keeps from before. */
  readonly #kept = new Set<string>();
  readonly #announced = new Map<string, string>();
  #counts = '';

  constructor(connection: Connection, settings: MirrorSettings, tools: MirrorTools) {
    this.#connection = connection;
    this.#settings = settings;
    this.#tools = tools;
    this.#topics = topicsOf(settings.prefix);
  }

  /** Until the connection or the signal ends it. */
  async show(broker: Broker, feed: SessionFeed, outer: AbortSignal): Promise<void> {
    const lost = new AbortController();
    const signal = AbortSignal.any([outer, lost.signal]);
    void this.#connection.closed.then(() => lost.abort());
    await this.#readKept(broker, signal);
    try {
      for await (const batch of feed.follow(signal)) {
        if (signal.aborted) return;
        await this.#take(batch, signal);
      }
    } catch (error) {
      this.#tools.log('mqtt: the sessions could not be read', { error: String(error) });
    }
  }

  /** An earlier run of the daemon may have left states of sessions that are gone. */
  async #readKept(broker: Broker, signal: AbortSignal): Promise<void> {
    broker.onRetained = (topic, payload) => {
      const state = parseJson(payload);
      const isOurs = isObject(state) && state['user'] === HERE.user;
      if (isOurs && topic.endsWith('/state')) this.#kept.add(topic);
    };
    await this.#connection.ask(this.#topics.states, signal);
    await this.#publish([{ topic: this.#topics.status, payload: 'online', retain: true }], signal);
    await this.#connection.forget(this.#topics.states, signal);
    if (this.#settings.discovery) await this.#publish([waitingSensor(this.#topics)], signal);
  }

  async #take({ sessions, whole }: SessionBatch, signal: AbortSignal): Promise<void> {
    const now = this.#tools.now();
    const shown = new Map<string, SessionRecord>();
    const gone = new Set(whole ? [...this.#shown.keys(), ...this.#kept] : []);
    for (const record of [...sessions].sort((a, b) => a.lastEvent - b.lastEvent)) {
      const topic = this.#topics.state(record.sessionId);
      if (isShown(record, now)) shown.set(topic, recordAtLevel(record, this.#settings.level));
    }
    for (const topic of shown.keys()) gone.delete(topic);
    const changed = [...shown].flatMap(([topic, record]) => this.#changed(topic, record, now));
    await this.#publish(changed, signal);
    await this.#publish(
      [...gone].flatMap((topic) => this.#cleared(topic)),
      signal,
    );
    await this.#count(signal);
  }

  #changed(topic: string, record: SessionRecord, now: number): TopicMessage[] {
    const { discovery } = this.#settings;
    const document = stateDocument(record);
    const text = JSON.stringify({ ...document, last_event: null });
    const before = this.#shown.get(topic);
    if (before?.text === text && now - before.at < REFRESH) return [];
    this.#shown.set(topic, { text, state: record.state, at: now });
    const state = { topic, payload: JSON.stringify(document), retain: true };
    const sensor = discovery ? sessionSensor(this.#topics, record) : null;
    if (sensor === null || this.#announced.get(topic) === sensor.payload) return [state];
    this.#announced.set(topic, sensor.payload);
    return [sensor, state];
  }

  #cleared(topic: string): TopicMessage[] {
    this.#shown.delete(topic);
    this.#announced.delete(topic);
    this.#kept.delete(topic);
    const state = { topic, payload: '', retain: true };
    return this.#settings.discovery ? [withoutSensor(topic), state] : [state];
  }

  async #count(signal: AbortSignal): Promise<void> {
    const counts = JSON.stringify(countDocument([...this.#shown.values()].map(({ state }) => state)));
    if (counts === this.#counts) return;
    this.#counts = counts;
    await this.#publish([{ topic: this.#topics.sessions, payload: counts, retain: true }], signal);
  }

  /** In order, some at once. What the broker does not take ends the connection: everything is shown again over the next. */
  async #publish(messages: readonly TopicMessage[], signal: AbortSignal): Promise<void> {
    for (let i = 0; i < messages.length && !signal.aborted; i += AT_ONCE) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(15_000)]);
      setMaxListeners(0, limit); // one for each message
      const some = messages.slice(i, i + AT_ONCE);
      const ends = await Promise.all(some.map((message) => this.#connection.publish(message, limit)));
      if (ends.some((end) => end !== 'acknowledged')) return signal.aborted ? undefined : this.#connection.destroy();
    }
  }
}

/** A session that is over, or of which nothing is known any more, is shown so long: ms. */
const SHOWN_AFTER = 24 * 3_600_000;
const LAST_WORDS = 2_000;
const OVER: readonly string[] = ['ended', 'failed', 'unknown'];

/** Whether it is still shown. `now`: Unix ms. */
function isShown({ state, lastEvent }: SessionRecord, now: number): boolean {
  return !OVER.includes(state) || now - lastEvent < SHOWN_AFTER;
}

/** As messages are: at another level than `full` without what was said and run, at `title` without where and under which name, too. */
function recordAtLevel(record: SessionRecord, level: Level): SessionRecord {
  if (level === 'full') return record;
  const short: SessionRecord = { ...record, lastAssistantMessage: null, running: [] };
  return level === 'short' ? short : { ...short, cwd: null, branch: null, title: null };
}

/** The words of `belfry sessions --json`, but for what is planned and whether its machine is reachable. */
function stateDocument(
  record: SessionRecord,
): Omit<ReturnType<typeof sessionJson>, 'continues_at' | 'unreachable_since'> {
  const none = { continuesAt: null, unreachableSince: null };
  const { continues_at: _continues, unreachable_since: _unreachable, ...whole } = sessionJson(record, none);
  return { ...whole, last_words: whole.last_words === null ? null : truncate(whole.last_words, LAST_WORDS) };
}

/** How many there are in each state. */
function countDocument(states: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = { waiting: 0, working: 0, total: 0 };
  for (const state of states) {
    counts[state] = (counts[state] ?? 0) + 1;
    counts['total'] = (counts['total'] ?? 0) + 1;
  }
  return counts;
}
