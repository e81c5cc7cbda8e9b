// The table of docs/agents/README.md that says what each client's notifications are concluded from; from the registry.
import type { Agent } from '../src/model/agent/agent.ts';

function transcriptOf({ transcript }: Agent): string {
  if (transcript === undefined) return 'not needed';
  const when = transcript.watch ? 'while a turn runs, and at its end' : 'when a turn or the session ends';
  return `${transcript.tells}; read ${when}`;
}

function processOf({ processNames, exitsWithoutEvent }: Agent): string {
  if (processNames.length === 0) return 'not known';
  return exitsWithoutEvent ? 'gone in the middle of work; at rest that is how it leaves' : 'gone without an end';
}

/** One row a client. */
export function evidenceTable(agents: readonly Agent[]): string {
  const rows = agents.map((agent) => {
    const seen = /^\d/.test(agent.docs.seen) ? `captured with ${agent.docs.seen}` : agent.docs.seen;
    return `| ${agent.name} | ${seen} | ${transcriptOf(agent)} | ${processOf(agent)} |`;
  });
  return [
    '## Evidence',
    '',
    'Hooks come first: they are reported within 0.25 s, unless something is waited for on purpose. Where they cannot tell, the end of the transcript is read (128 KB at',
    'most, and no record that is older than the turn), and the process is looked at every 10 s: a client that is gone is reported within 15 s, once it has been seen alive.',
    'No transcript is read or timed while no turn runs. What stays unknown is said for each agent under "What it cannot report".',
    '',
    '| agent | hooks | transcript | process |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
