// Holds an agent's captured inputs against a table that names each of them.
import { expect, it } from 'vitest';
import { agentByName } from '../../src/agents/index.ts';
import type { Parsed } from '../../src/model/agent.ts';
import { hints } from '../contracts/agent.ts';
import { samples } from '../support/samples.ts';

/** File name; kind, signal, detail (- is none) and urgency; whatever else is not empty. */
export type Row = readonly [file: string, says: string, more: { readonly [K in keyof Parsed]?: unknown }];

/** Everything a row leaves out has to be empty; only last words, ids and paths are left to the contract suite. */
export function testCaptured(name: string, rows: readonly Row[]): void {
  const agent = agentByName(name);
  if (!agent) throw new Error(`no agent ${name}`);
  const captured = new Map(samples(name).map((sample) => [`${sample.event}-${sample.scenario}`, sample]));

  it(`names every captured input of ${name}, and no other`, () => {
    expect(rows.map(([file]) => file).sort()).toEqual([...captured.keys()].sort());
  });

  it.each(rows)(`${name} %s is %s`, (file, says, more) => {
    const sample = captured.get(file);
    if (!sample) throw new Error(`no captured input ${file}`);
    const parsed = agent.parse(sample.input, hints(agent, { event: sample.event }));
    const { kind, signal, detail, urgency, hookEvent, sessionId, cwd, transcript, lastWords, unknown, ...rest } =
      parsed;
    expect([kind, signal, detail ?? '-', urgency].join(' ')).toBe(says);
    const said = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== false));
    expect(said).toEqual({ ...(kind === 'session.failed' ? { abnormal: true } : {}), ...more });
    if (lastWords !== null) expect(kind).toBe('agent.finished');
  });
}
