// What every channel has to do, whatever its service: run by each channel's own test against something real.
import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { attempt } from '../../src/delivery/channel/attempt.ts';
import { type ChannelInstances, createChannelInstances } from '../../src/delivery/channel/channel-instance.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { ChannelTools, ChannelType, OutgoingMessage, SendContext } from '../../src/model/channel/channel.ts';
import { capabilitiesOf } from '../../src/model/channel/capabilities.ts';
import { REASONS } from '../../src/model/delivery/delivery.ts';
import type { Event } from '../../src/model/event/event.ts';
import type { NotificationContent } from '../../src/model/notification/notification.ts';
import { secretFields, withFieldAt } from '../../src/model/settings/secret-fields.ts';
import hostile from '../fixtures/hostile.json' with { type: 'json' };

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
export function messageOf(
  more: Partial<NotificationContent> = {},
  message: Partial<OutgoingMessage> = {},
): OutgoingMessage {
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
    threadReceipt: null,
    acknowledgeWith: null,
    goOn: [],
    showWith: null,
    question: null,
    ...message,
  };
}

/** What the daemon hands a channel, and what ends the operation. */
export type TestTools = ChannelTools & Pick<SendContext, 'signal'>;

/** A channel that keeps nothing needs no folder. */
const NOWHERE = '/nowhere/of-this-test';

export function toolsOf(more: Partial<TestTools> = {}): TestTools {
  return {
    signal: new AbortController().signal,
    now: Date.now,
    env: {},
    platform: process.platform,
    log: () => undefined,
    stateFolder: NOWHERE,
    ...more,
  };
}

const open = new Map<ChannelTools['now'], Map<string, ChannelInstances>>();

/** The instance of these settings: the same one for every message, as the worker has it. */
export function instanceOf<S>(channel: ChannelType<S>, input: object, tools: TestTools = toolsOf()): ChannelInstances {
  const { now, env, platform, log, stateFolder } = tools;
  const same = open.get(now) ?? new Map<string, ChannelInstances>();
  open.set(now, same);
  const key = JSON.stringify([channel.type, input, env, platform, stateFolder]);
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
  const instances = same.get(key) ?? createChannelInstances(configured, { clock, env, platform, log, stateFolder });
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

/** A receiver that is there. */
export interface Reachable {
  /** Settings as in the file, secrets resolved. */
  readonly input: object;
  readonly tools?: TestTools;
  /** What its messages have to say of their event. */
  readonly event?: Partial<Event>;
  /** Resolves once it was given something. */
  readonly arrived: () => Promise<unknown>;
}

/** How the suite reaches one channel. */
export interface ChannelCase<S> {
  readonly channel: ChannelType<S>;
  /** What stands in config.toml; must be valid. */
  readonly input: Record<string, unknown>;
  /** Secrets resolved, pointing at something that is not there. */
  readonly unreachable: () => Promise<{ input: object; tools?: TestTools; secrets: readonly string[] }>;
  /** A receiver that accepts everything, changes included. */
  readonly works: () => Promise<Reachable>;
  /** A receiver that takes a message and never answers. */
  readonly hangs: () => Promise<Reachable>;
}

/** Runs the suite. */
export function testChannel<S>({ channel, input, unreachable, works, hangs }: ChannelCase<S>): void {
  const at = (tools: TestTools) => ({ signal: tools.signal, timeoutMs: 20_000 });
  const opened = async (reach: () => Promise<Reachable>) => {
    const { input: given, tools = toolsOf(), event = {}, arrived } = await reach();
    const settings = channel.schema.parse(given);
    const of: typeof messageOf = (more, message) => messageOf({ event: eventOf(event), ...more }, message);
    return { settings, tools, arrived, of, open: channel.open(settings, tools) };
  };

  describe(`contract of ${channel.type}`, () => {
    afterEach(closeChannels);

    test('validates its settings strictly, those of every channel among them', () => {
      expect(channel.schema.safeParse(input).success).toBe(true);
      expect(channel.schema.safeParse({ ...input, no_such_key: 1 }).success).toBe(false);
      const common = { level: 'short', allow_private: true, on_resolved: 'keep', timeout: '5s' };
      const settings = channel.schema.parse({ ...input, ...common });
      expect(settings).toMatchObject({ ...common, timeout: 5_000 });
      expect(channel.limits(settings).timeoutMs).toBe(5_000);
      for (const { path } of secretFields(channel.schema, input))
        expect(channel.schema.safeParse(withFieldAt(input, path, 'env:NAME')).success, path.join('.')).toBe(true);
    });

    test('documents itself, and does not need its settings twice', () => {
      const { concurrency, timeoutMs } = channel.limits(channel.schema.parse(input));
      expect(concurrency).toBeGreaterThan(0);
      expect(timeoutMs).toBeGreaterThan(0);
      expect(channel.docs.summary).not.toBe('');
      expect(channel.docs.example).toContain(`type = "${channel.type}"`);
    });

    test('`channel add` asks for settings that exist, and for every one that is required', () => {
      const { questions, pairing } = channel.setup;
      const asked = questions.map(({ key }) => key);
      expect(new Set(asked).size).toBe(asked.length);
      const known = z.toJSONSchema(channel.schema, { io: 'input', unrepresentable: 'any' });
      for (const key of [...asked, ...(pairing?.finds ?? [])])
        expect(Object.keys(known.properties ?? {})).toContain(key);
      for (const key of known.required ?? []) expect([...asked, ...(pairing?.finds ?? [])]).toContain(key);
      for (const { ask, help = '' } of questions) expect(`${ask}${help}`).toMatch(/^[A-Z][^\n]{3,300}$/);
      for (const line of channel.setup.intro) expect(line).toMatch(/^\S[^\n]{0,160}$/);
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

    test('offers what it says it can do, under these settings', async () => {
      const { settings, open } = await opened(works);
      const { update, retract, receive } = capabilitiesOf(channel, settings);
      expect([open.update, open.retract, open.receive].map(Boolean)).toEqual([update, retract, receive]);
      await open.close();
    });

    test('sends, changes and takes back with the receipt as the store keeps it; twice is no failure', async () => {
      const { tools, of, open } = await opened(works);
      const sent = await open.send(of(), at(tools));
      if (!sent.ok) throw new Error(sent.error);
      const receipt = sent.receipt === undefined ? null : (JSON.parse(JSON.stringify(sent.receipt)) as unknown);
      const resolution = { state: 'resolved', why: 'answered in the terminal', at: tools.now() } as const;
      const changed = of({ title: 'changed' }, { id: 'dlv_2', operation: 'update', revision: 2 });
      const gone = of({}, { id: 'dlv_3', operation: 'retract', revision: 3, resolution });
      if (open.update) expect(await open.update(changed, receipt, at(tools))).toMatchObject({ ok: true });
      if (open.retract)
        for (const _time of [1, 2]) expect(await open.retract(gone, receipt, at(tools))).toMatchObject({ ok: true });
      await open.close();
    });

    test.each([null, 'x', 7, {}, { id: -1 }, { id: 'x', server: 4 }, []])(
      'a receipt that it never gave (%j) is no exception',
      async (receipt) => {
        const { tools, of, open } = await opened(works);
        const message = of({}, { operation: 'retract', resolution: { state: 'resolved', why: 'over', at: 0 } });
        for (const change of [open.update, open.retract])
          if (change) expect(await change(message, receipt, at(tools))).toHaveProperty('ok');
        await open.close();
      },
    );

    test('sends whatever text comes, and does not change the message', async () => {
      const { tools, of, open } = await opened(works);
      const long = ['\0', '\ud800', 'x'.repeat(200_000), `e${'\u0301'.repeat(9_000)}`, '👩‍👩‍👧‍👦'.repeat(2_000)];
      for (const [i, text] of [...long, ...hostile].entries()) {
        const message = of({ title: text, body: text }, { id: `dlv_${i}`, threadKey: `thread-${i}` });
        const before = JSON.stringify(message);
        expect(await open.send(message, at(tools)), before.slice(0, 100)).toMatchObject({ ok: true });
        expect(JSON.stringify(message)).toBe(before);
      }
      await open.close();
    });

    test('closed while it sends: the send ends as a failure, and closing again is no trouble', async () => {
      const { tools, of, open, arrived } = await opened(hangs);
      const sending = open.send(of(), at(tools));
      await arrived();
      await open.close();
      const outcome = await sending;
      if (outcome.ok) throw new Error('nobody accepted it');
      expect(outcome.unknown, 'it may have arrived').toBe(true);
      await open.close();
    });

    test('cancelled while it sends: ends as a failure', async () => {
      const { input: given, tools = toolsOf(), event = {}, arrived } = await hangs();
      const control = new AbortController();
      const sending = deliver(channel, given, messageOf({ event: eventOf(event) }), {
        ...tools,
        signal: control.signal,
      });
      await arrived();
      control.abort();
      expect((await sending).ok).toBe(false);
    });
  });
}
