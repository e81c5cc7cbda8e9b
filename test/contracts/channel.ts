// What every channel has to do, whatever its service: run by each channel's own test against something real.
import { describe, expect, test } from 'vitest';
import { attempt } from '../../src/delivery/attempt.ts';
import { type ChannelInstances, createChannelInstances } from '../../src/delivery/channel-instance.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { ChannelTools, ChannelType, OutgoingMessage, SendContext } from '../../src/model/channel.ts';
import { REASONS } from '../../src/model/delivery.ts';
import type { Event } from '../../src/model/event.ts';
import type { NotificationContent } from '../../src/model/notification.ts';
import { secretFields, withFieldAt } from '../../src/model/secret-fields.ts';

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

/** A message of a test. */
export function messageOf(more: Partial<Notification> = {}, message: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    id: 'dlv_1',
    notificationId: 'ntf_1',
    revision: 1,
    operation: 'send',
    content: notificationOf(more),
    attempt: 1,
    threadKey: 'tester:session-1',
    resolution: null,
    step: 0,
    ...message,
  };
}

/** What the daemon hands a channel, and what ends the operation. */
export type TestTools = ChannelTools & Pick<SendContext, 'signal'>;

export function toolsOf(more: Partial<TestTools> = {}): TestTools {
  return {
    signal: new AbortController().signal,
    now: Date.now,
    env: {},
    platform: process.platform,
    log: () => undefined,
    ...more,
  };
}

const open = new Map<ChannelTools['now'], Map<string, ChannelInstances>>();

/** The instance of these settings: the same one for every message, as the worker has it. */
export function instanceOf<S>(channel: ChannelType<S>, input: object, tools: TestTools = toolsOf()): ChannelInstances {
  const { now, env, platform, log } = tools;
  const same = open.get(now) ?? new Map<string, ChannelInstances>();
  open.set(now, same);
  const key = JSON.stringify([channel.type, input, env, platform]);
  // What a secret turned out to be is not checked again, so neither is it here.
  const settings = channel.schema.safeParse(input).data ?? input;
  // As in the registry: an attempt hands settings through unseen.
  const configured = {
    name: channel.type,
    channel: channel as unknown as ChannelType,
    settings,
    level: 'full',
  } as const;
  const clock = { now, setTimer: systemClock.setTimer };
  const instances = same.get(key) ?? createChannelInstances(configured, { clock, env, platform, log });
  same.set(key, instances);
  return instances;
}

/** Closes every channel that was opened. */
export async function closeChannels(): Promise<void> {
  const all = [...open.values()].flatMap((same) => [...same.values()]);
  open.clear();
  await Promise.all(all.map((instances) => instances.close()));
}

/** One attempt, as the worker makes it. `input`: the settings as in the file, secrets resolved. */
export function deliver<S>(
  channel: ChannelType<S>,
  input: object,
  message: OutgoingMessage,
  tools: TestTools = toolsOf(),
  receipt: unknown = null,
) {
  const clock = { now: tools.now, setTimer: systemClock.setTimer };
  return attempt(instanceOf(channel, input, tools), { message, receipt }, clock, tools.signal);
}

/** How the suite reaches one channel. */
export interface ChannelCase<S> {
  readonly channel: ChannelType<S>;
  /** What stands in config.toml; must be valid. */
  readonly input: Record<string, unknown>;
  /** Secrets resolved, pointing at something that is not there. */
  readonly unreachable: () => Promise<{ input: object; tools?: TestTools; secrets: readonly string[] }>;
}

/** Runs the suite. */
export function testChannel<S>({ channel, input, unreachable }: ChannelCase<S>): void {
  describe(`contract of ${channel.type}`, () => {
    test('validates its settings strictly', () => {
      expect(channel.schema.safeParse(input).success).toBe(true);
      expect(channel.schema.safeParse({ ...input, no_such_key: 1 }).success).toBe(false);
      for (const { path } of secretFields(channel.schema, input))
        expect(channel.schema.safeParse(withFieldAt(input, path, 'env:NAME')).success, path.join('.')).toBe(true);
    });

    test('says its limits and documents itself', () => {
      const { concurrency, timeoutMs } = channel.limits(channel.schema.parse(input));
      expect(concurrency).toBeGreaterThan(0);
      expect(timeoutMs).toBeGreaterThan(0);
      expect(channel.docs.summary).not.toBe('');
      expect(channel.docs.example).toContain(`type = "${channel.type}"`);
    });

    test('a failure is a value with a reason of the set, one line, and no secret', async () => {
      const { input: there, tools, secrets } = await unreachable();
      const outcome = await deliver(channel, there, messageOf(), tools);
      if (outcome.ok) throw new Error('was delivered to nowhere');
      expect(REASONS).toContain(outcome.reason);
      expect(outcome.error).toMatch(/^[^\n]{10,300}$/);
      for (const secret of secrets) expect(JSON.stringify(outcome)).not.toContain(secret);
    });

    test('a cancelled send ends at once as a failure', async () => {
      const { input: there, tools } = await unreachable();
      const stopped = { ...(tools ?? toolsOf()), signal: AbortSignal.abort() };
      expect((await deliver(channel, there, messageOf(), stopped)).ok).toBe(false);
    });

    test('check finds fault with it and says what to do', async () => {
      const { input: there, tools, secrets } = await unreachable();
      const findings = await channel.check(channel.schema.parse(there), tools ?? toolsOf());
      expect(findings.length).toBeGreaterThan(0);
      for (const finding of findings) if (finding.level !== 'ok') expect(finding.fix).toBeTruthy();
      for (const secret of secrets) expect(JSON.stringify(findings)).not.toContain(secret);
    });
  });
}
