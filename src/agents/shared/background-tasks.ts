// What a client says still runs in the background.
import type { RunningWork } from '../../model/agent.ts';
import { object, string } from './fields.ts';
import { oneLine } from './tools.ts';

const OVER =
  /^(completed?|done|finished|succeeded|success|failed|error(ed)?|killed|stopped|cancell?ed|aborted|exited|ended|timed?_?out)$/i;
const MOST = 100;

/** Null when the client does not tell. An entry that does not say it is over counts as running, whatever its shape. */
export function runningOf(tasks: unknown, except?: string | null): readonly RunningWork[] | null {
  if (tasks === undefined || tasks === null) return null;
  const list = Array.isArray(tasks) ? tasks : Object.values(object(tasks));
  return list
    .slice(0, MOST)
    .map((task): RunningWork & { readonly status: string | null } => {
      const fields = object(task);
      const label = typeof task === 'string' ? task : string(fields, 'description', 'command', 'name', 'agent_type');
      return {
        id: string(fields, 'id', 'task_id', 'agent_id'),
        type: string(fields, 'type', 'kind') ?? 'task',
        label: label === null ? null : oneLine(label),
        status: string(fields, 'status', 'state'),
      };
    })
    .filter((task) => !(task.status !== null && OVER.test(task.status)) && (!except || task.id !== except))
    .map(({ id, type, label }) => ({ id, type, label }));
}
