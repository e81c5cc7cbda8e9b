// The table of docs/contributing/scenarios.md that says what each client's notifications are concluded from; from the registry.
import { table, wrap } from './markdown.ts';
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
    return [agent.name, seen, transcriptOf(agent), processOf(agent)];
  });
  const about = [
    'Hooks come first: what they report is sent within 0.25 s, unless Belfry waits for something on purpose.',
    'Where hooks say nothing, Belfry reads the end of the transcript (128 KB at most, and no record older than the turn).',
    'It also looks at the process every 10 s: once it has been seen alive, a client that is gone is reported within 15 s.',
    'No transcript is read or timed while no turn runs. What stays unknown is under "Limits" on each agent\'s page.',
  ];
  return ['## Evidence', wrap(about.join(' ')), table(['agent', 'hooks', 'transcript', 'process'], rows)].join('\n\n');
}
