// What every channel has to do, whatever its service: run by each channel's own test against something real.
import { describe, expect, test } from 'vitest';
import type { Channel, OutgoingMessage, SendContext } from '../../src/model/channel.ts';
import { attempt } from '../../src/delivery/attempt.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { REASONS } from '../../src/model/delivery.ts';
import type { Event } from '../../src/model/event.ts';
import type { NotificationContent } from '../../src/model/notification.ts';

/** An event of a test; every field may be overruled. */
export function eventOf(more: Partial<Event> = {}): Event {
  return {
    id: '01TESTEVENT0000000000000001',
    kind: 'agent.finished',
    agent: 'tester',
    host: 'box',
    user: 'dev',
    place: null,
    hookEvent: 'Stop',
    sessionId: 'session-1',
    cwd: '/home/dev/project',
    project: 'project',
    branch: 'main',
    message: 'All done.',
    reason: null,
    abnormal: false,
    detail: null,
    urgency: 'normal',
    at: Date.UTC(2026, 5, 1, 12),
    presetText: null,
    attributes: {},
    ...more,
  };
}

/** A notification of a test. */
export function notificationOf(more: Partial<NotificationContent> = {}): NotificationContent {
  const event = more.event ?? eventOf();
  return {
    title: 'project: Tester finished',
    body: 'All done.',
    urgency: event.urgency,
    abnormal: event.abnormal,
    count: 1,
    event,
    events: [event.id],
    context: { messages: [] },
    ...more,
  };
}

/** A parcel of a test. */
export function messageOf(
  more: Partial<NotificationContent> = {},
  parcel: Partial<OutgoingMessage> = {},
): OutgoingMessage {
  return { id: 'dlv_1', content: notificationOf(more), attempt: 1, threadKey: 'tester:session-1', ...parcel };
}

/** What the daemon hands a channel. */
export function toolsOf(more: Partial<SendContext> = {}): SendContext {
  return {
    signal: new AbortController().signal,
    now: () => Date.now(),
    env: {},
    platform: process.platform,
    log: () => undefined,
    ...more,
  };
}

/** One attempt, as the worker makes it. */
export function deliver<S, R>(
  channel: Channel<S, R>,
  settings: S,
  parcel: OutgoingMessage,
  tools: SendContext = toolsOf(),
) {
  const { now, signal, ...around } = tools;
  // As in the registry: an attempt hands settings and what was rendered through unseen.
  const configured = { name: channel.type, channel: channel as unknown as Channel, settings, level: 'full' } as const;
  return attempt(configured, parcel, { ...around, clock: { now, setTimer: systemClock.setTimer } }, signal);
}

/** How the suite reaches one channel. */
export interface ChannelCase<S, R> {
  readonly channel: Channel<S, R>;
  /** What stands in config.toml; must be valid. */
  readonly input: Record<string, unknown>;
  /** Secrets resolved, pointing at something that is not there. */
  readonly unreachable: () => Promise<{ settings: S; tools?: SendContext; secrets: readonly string[] }>;
}

/** Runs the suite. */
export function testChannel<S, R>({ channel, input, unreachable }: ChannelCase<S, R>): void {
  describe(`contract of ${channel.type}`, () => {
    test('validates its settings strictly', () => {
      expect(channel.schema.safeParse(input).success).toBe(true);
      expect(channel.schema.safeParse({ ...input, no_such_key: 1 }).success).toBe(false);
      for (const key of channel.secrets)
        expect(channel.schema.safeParse({ ...input, [key]: 'env:NAME' }).success, key).toBe(true);
    });

    test('says its limits and documents itself', () => {
      expect(channel.limits.concurrency).toBeGreaterThan(0);
      expect(channel.limits.timeout).toBeGreaterThan(0);
      expect(channel.docs.summary).not.toBe('');
      expect(channel.docs.example).toContain(`type = "${channel.type}"`);
    });

    test('renders the same for the same input, and changes nothing', () => {
      const settings = channel.schema.parse(input);
      const parcel = messageOf();
      const before = JSON.stringify(parcel);
      const at = { now: 1_780_000_000_000, platform: process.platform };
      expect(channel.render(parcel, settings, at)).toEqual(channel.render(parcel, settings, at));
      expect(JSON.stringify(parcel)).toBe(before);
    });

    test('renders whatever text comes', () => {
      const settings = channel.schema.parse(input);
      const at = { now: 1_780_000_000_000, platform: process.platform };
      for (const text of [
        '',
        ' ',
        '\0',
        '\ud800',
        'x'.repeat(200_000),
        `e${'\u0301'.repeat(9_000)}`,
        '👩‍👩‍👧‍👦'.repeat(2_000),
      ])
        expect(() => channel.render(messageOf({ title: text, body: text }), settings, at)).not.toThrow();
    });

    test('a failure is a value with a reason of the set, one line, and no secret', async () => {
      const { settings, tools, secrets } = await unreachable();
      const outcome = await deliver(channel, settings, messageOf(), tools);
      if (outcome.ok) throw new Error('was delivered to nowhere');
      expect(REASONS).toContain(outcome.reason);
      expect(outcome.error).toMatch(/^[^\n]{10,300}$/);
      for (const secret of secrets) expect(JSON.stringify(outcome)).not.toContain(secret);
    });

    test('a cancelled send ends at once as a failure', async () => {
      const { settings, tools } = await unreachable();
      const stopped = { ...(tools ?? toolsOf()), signal: AbortSignal.abort() };
      expect((await deliver(channel, settings, messageOf(), stopped)).ok).toBe(false);
    });

    test('check finds fault with it and says what to do', async () => {
      const { settings, tools, secrets } = await unreachable();
      const findings = await channel.check(settings, tools ?? toolsOf());
      expect(findings.length).toBeGreaterThan(0);
      for (const finding of findings) if (finding.level !== 'ok') expect(finding.fix).toBeTruthy();
      for (const secret of secrets) expect(JSON.stringify(findings)).not.toContain(secret);
    });
  });
}
