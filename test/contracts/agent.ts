// The suite every agent passes, whatever client it stands for.
import { describe, expect, it } from 'vitest';
import { agents } from '../../src/agents/index.ts';
import { envelopeKey } from '../../src/ingest/ordering-key.ts';
import type { Agent, ParseHints } from '../../src/model/agent/agent.ts';
import { KINDS, URGENCIES } from '../../src/model/event/event.ts';
import { samples } from '../support/samples.ts';

export const hints = (agent: Agent, more: Partial<ParseHints> = {}): ParseHints => ({
  event: null,
  env: {},
  abnormalReasons: agent.abnormalReasons,
  ...more,
});

/** Kinds that an agent's input can become. */
const KINDS_OF_AGENTS = new Set([
  'agent.waiting',
  'agent.finished',
  'subagent.finished',
  'session.ended',
  'session.failed',
  'agent.other',
]);

/** Values no client sends, one for each way to be wrong. */
const WRONG: readonly unknown[] = [
  null,
  0,
  -1,
  1e308,
  true,
  '',
  '\u0000',
  'x'.repeat(200_000),
  [],
  [[]],
  {},
  { toString: 1 },
  '\ud800',
];

/** A value nested as deep as JSON.parse goes without complaint. */
function deep(levels: number): unknown {
  return JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
}

/** `input` names an event of the client in its own form, such as `{ hook_event_name: name }`. */
export function testAgent(agent: Agent, input: (event: string) => Record<string, unknown>): void {
  const parse = (fields: Record<string, unknown>, more: Partial<ParseHints> = {}) =>
    agent.parse(fields, hints(agent, more));
  const captured = samples(agent.name);

  describe(`${agent.name} keeps the contract of agents`, () => {
    it('parses every captured input to a known kind, keeping ids and leaving nothing unknown', () => {
      for (const sample of captured) {
        const parsed = parse(sample.input, { event: sample.event });
        expect(KINDS_OF_AGENTS, sample.path).toContain(parsed.kind);
        expect(URGENCIES, sample.path).toContain(parsed.urgency);
        if (parsed.kind === 'agent.other') expect(parsed.signal, sample.path).not.toBe('none');
        expect(parsed.sessionId, sample.path).not.toBeNull();
        expect(parsed.unknown, sample.path).toEqual({});
        expect(agent.matches(sample.input, { event: sample.event, env: {} }), sample.path).toBe(true);
      }
    });

    it('is in order by session before it is parsed, by the key that it has afterwards', () => {
      for (const { bytes: raw, path, event, input: fields } of captured) {
        const { sessionId } = parse(fields, { event });
        expect(envelopeKey(agents, { agent: agent.name, raw }), path).toBe(sessionId);
        expect([sessionId, null], path).toContain(envelopeKey(agents, { raw }));
      }
    });

    it('makes agent.other of an unknown event and keeps its name and fields', () => {
      const parsed = parse({ ...input('SomethingNew2031'), brand_new: { nested: [1, 'two'] } });
      expect(parsed).toMatchObject({
        kind: 'agent.other',
        hookEvent: 'SomethingNew2031',
        signal: 'none',
        abnormal: false,
      });
      expect(parsed.unknown).toMatchObject({ brand_new: { nested: [1, 'two'] } });
    });

    it('keeps unknown fields of known events', () => {
      for (const event of agent.events) {
        const parsed = parse({ ...input(event.name), future_field: 7 }, { event: event.name });
        expect(parsed.unknown, event.name).toMatchObject({ future_field: 7 });
      }
    });

    it('knows every event it installs', () => {
      for (const event of agent.events) {
        const parsed = parse(input(event.name), { event: event.name });
        expect(parsed.signal, event.name).not.toBe('none');
        expect(parsed.hookEvent, event.name).toBe(event.name);
        expect(parsed.kind === 'agent.other', event.name).toBe(event.role !== 'notify');
        if (event.role === 'signal') expect(parsed.isSignal, event.name).toBe(true);
      }
    });

    it('tolerates any type in any field', () => {
      const names = new Set(captured.flatMap((sample) => Object.keys(sample.input)));
      const events = new Map(captured.map((sample) => [sample.event, sample.input]));
      for (const event of agent.events) if (!events.has(event.name)) events.set(event.name, input(event.name));
      // One assertion at the end: one for each of the many thousand cases would take most of the time.
      const faults: string[] = [];
      const bounded = (value: unknown): boolean =>
        value === null || (typeof value === 'string' && value.length <= 64_000);
      for (const [event, fields] of events)
        for (const name of [...names, 'constructor', 'hasOwnProperty', 'toString'])
          for (const wrong of WRONG) {
            const parsed = parse({ ...fields, [name]: wrong }, { event });
            const { kind, sessionId, cwd, message, reason, detail, prompt } = parsed;
            const fits = [sessionId, cwd, message, reason, detail, prompt].every(bounded);
            if (!KINDS.includes(kind) || !fits)
              faults.push(`${event}: ${name} = ${String(JSON.stringify(wrong)).slice(0, 80)}`);
          }
      expect(faults).toEqual([]);
    });

    it('survives hostile objects and pollutes no prototype', () => {
      const hostile = JSON.parse(
        '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"hook_event_name":"__proto__","type":"constructor","tool_input":{"__proto__":{"polluted":1}},"background_tasks":{"__proto__":{"polluted":1}}}',
      ) as Record<string, unknown>;
      for (const event of [null, '__proto__', 'constructor', 'toString', ...agent.events.map((e) => e.name)]) {
        const parsed = parse({ ...hostile, ...(event === null ? {} : input(event)) }, { event });
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
        expect(Object.getPrototypeOf(parsed.unknown)).toBe(Object.prototype);
        expect((parsed as unknown as Record<string, unknown>)['polluted']).toBeUndefined();
      }
    });

    it('bounds depth and size of what it keeps, so that it can be written down', () => {
      for (const event of ['Odd', ...agent.events.map((e) => e.name)]) {
        const parsed = parse(
          {
            ...input(event),
            deep: deep(3_000),
            tool_input: deep(3_000),
            wide: Array(100_000).fill('x'),
            long: 'y'.repeat(3_000_000),
          },
          { event },
        );
        expect(JSON.stringify(parsed).length).toBeLessThan(400_000);
      }
    });

    it('flags an end by the reasons it is given', () => {
      const ends = captured.filter((sample) => parse(sample.input, { event: sample.event }).kind === 'session.ended');
      for (const sample of ends) {
        const reason = String(sample.input['reason']);
        const flagged = parse(sample.input, { event: sample.event, abnormalReasons: [reason] });
        expect(flagged, sample.path).toMatchObject({
          kind: 'session.ended',
          reason,
          abnormal: true,
          urgency: 'urgent',
        });
        const calm = parse(sample.input, { event: sample.event, abnormalReasons: [] });
        expect(calm, sample.path).toMatchObject({ kind: 'session.ended', reason, abnormal: false, urgency: 'low' });
        expect(agent.docs.reasons, sample.path).toHaveProperty(reason);
      }
    });

    it('describes itself, its settings and what it does not report', () => {
      expect(agent.name).toMatch(/^[a-z]+$/);
      expect(agent.title).not.toBe('');
      expect(agent.abnormalReasons).toEqual(['error', 'other']);
      expect(agent.docs.seen).not.toBe('');
      expect(agent.docs.cannot.length).toBeGreaterThan(0);
      expect(new Set(agent.events.map((event) => event.name)).size).toBe(agent.events.length);
      for (const event of agent.events) expect(event.becomes, event.name).not.toBe('');
      if (agent.settings === null) return;
      const file = agent.settings.user({ home: '/home/x', env: {}, platform: 'linux' });
      expect(file).toMatch(/^\/home\/x\//);
      if (agent.settings.shape === 'flat') {
        const entry = agent.settings.entry?.('the command', 10);
        expect(entry?.[agent.settings.commandKey ?? '']).toBe('the command');
      }
      if (agent.settings.shape === 'module')
        expect(agent.settings.module?.(`'it' "is"`)).toContain(JSON.stringify(`'it' "is"`));
    });
  });
}
