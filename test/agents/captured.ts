// Holds an agent's captured inputs against a table that names each of them.
import { expect, it } from 'vitest';
import { agentByName } from '../../src/agents/index.ts';
import type { Agent, ParsedHook } from '../../src/model/agent/agent.ts';
import { createState } from '../../src/pipeline/what-happened/classify.ts';
import { noFacts } from '../../src/pipeline/index.ts';
import { titleOf } from '../../src/pipeline/words/titles.ts';
import { hints } from '../contracts/agent.ts';
import { samples } from '../support/samples.ts';

/** File name; kind, signal, detail (- is none) and urgency; title, for what is sent; whatever else is not empty. */
export type Row = readonly [
  file: string,
  says: string,
  title: string | null,
  more: { readonly [K in keyof ParsedHook]?: unknown },
];

/** What is known of a session that was never seen before, in a folder called `project`. */
const FACTS = {
  ...noFacts('/home/dev'),
  place: { project: 'project', branch: null },
};

/** The title that people would see. */
export function titleFor(agent: Agent, parsed: ParsedHook): string {
  const { event } = createState(
    {
      type: 'hook',
      agent: agent.name,
      host: 'box',
      user: 'dev',
      parsed,
      origin: { pid: 1, ppid: 1, env: {} },
      digest: '',
      entryId: 'e-1',
      source: 'socket',
      startedAt: 0,
      receivedAt: 0,
    },
    FACTS,
  );
  return titleOf(event, agent.title);
}

/** Everything a row leaves out has to be empty; only last words, ids and paths are left to the contract suite. */
export function testCaptured(name: string, rows: readonly Row[]): void {
  const agent = agentByName(name);
  if (!agent) throw new Error(`no agent ${name}`);
  const captured = new Map(samples(name).map((sample) => [`${sample.event}-${sample.scenario}`, sample]));

  it(`names every captured input of ${name}, and no other`, () => {
    expect(rows.map(([file]) => file).sort()).toEqual([...captured.keys()].sort());
  });

  it.each(rows)(`${name} %s is %s`, (file, says, title, more) => {
    const sample = captured.get(file);
    if (!sample) throw new Error(`no captured input ${file}`);
    const parsed = agent.parse(sample.input, hints(agent, { event: sample.event }));
    const {
      kind,
      signal,
      detail,
      urgency,
      hookEvent,
      sessionId,
      cwd,
      transcript,
      lastAssistantMessage,
      unknown,
      ...rest
    } = parsed;
    expect([kind, signal, detail ?? '-', urgency].join(' ')).toBe(says);
    expect(kind === 'agent.other' ? null : titleFor(agent, parsed)).toBe(title);
    const said = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== false));
    expect(said).toEqual({ ...(kind === 'session.failed' ? { abnormal: true } : {}), ...more });
    if (lastAssistantMessage !== null) expect(kind).toBe('agent.finished');
  });
}
